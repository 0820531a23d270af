#include "holdfast/reproduction/summary.hpp"

#include <algorithm>

namespace holdfast::reproduction {
namespace {

// The row judged by one of its two numbers alone.
Verdict judge_alone(Row row, const Measured& measured, double scale, bool by_published) {
  (by_published ? row.reference_tolerance : row.published_tolerance).reset();
  const bool is_judged = by_published ? row.published && row.published_tolerance
                                      : row.reference && row.reference_tolerance;
  return is_judged ? judge(row, measured, scale) : Verdict::shown;
}

void add_reason(ItemSummary& summary, Verdict verdict, const std::string& reason) {
  if (verdict != Verdict::known) return;
  ++summary.known;
  if (std::find(summary.reasons.begin(), summary.reasons.end(), reason) == summary.reasons.end())
    summary.reasons.push_back(reason);
}

}  // namespace

void Share::add(Verdict verdict) {
  if (verdict == Verdict::shown) return;
  ++judged;
  if (verdict == Verdict::within || verdict == Verdict::within_noise) ++held;
}

Share& Share::operator+=(const Share& other) {
  held += other.held;
  judged += other.judged;
  return *this;
}

ItemSummary& ItemSummary::operator+=(const ItemSummary& other) {
  published += other.published;
  reference += other.reference;
  statements += other.statements;
  known += other.known;
  reasons.insert(reasons.end(), other.reasons.begin(), other.reasons.end());
  return *this;
}

ItemSummary summarise(const Item& item, std::span<const Measured> measured, double scale) {
  ItemSummary summary;
  for (std::size_t i = 0; i < item.rows.size(); ++i) {
    const Row& row = item.rows[i];
    summary.published.add(judge_alone(row, measured[i], scale, true));
    summary.reference.add(judge_alone(row, measured[i], scale, false));
    add_reason(summary, judge(row, measured[i], scale), row.known);
  }
  for (const Statement& statement : item.statements) {
    const Verdict verdict = judge(statement, measured, scale);
    summary.statements.add(verdict);
    add_reason(summary, verdict, statement.known);
  }
  return summary;
}

}  // namespace holdfast::reproduction
