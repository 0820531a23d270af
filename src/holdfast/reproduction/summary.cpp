#include "holdfast/reproduction/summary.hpp"

#include <algorithm>

namespace holdfast::reproduction {
namespace {

void add_reason(ItemSummary& summary, Verdict verdict, const std::string& reason) {
  if (verdict != Verdict::known) return;
  ++summary.known;
  if (std::find(summary.reasons.begin(), summary.reasons.end(), reason) == summary.reasons.end())
    summary.reasons.push_back(reason);
}

}  // namespace

void Share::add(Verdict verdict) {
  if (verdict == Verdict::shown || verdict == Verdict::unsure) return;
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

ItemSummary summarise(const Reproduced& one, double scale) {
  ItemSummary summary;
  if (!one.not_run.empty()) return summary;
  for (std::size_t i = 0; i < one.item.rows.size(); ++i) {
    const Row& row = one.item.rows[i];
    summary.published.add(judge_by_published(row, one.measured[i], scale));
    summary.reference.add(judge_by_reference(row, one.measured[i], scale));
    add_reason(summary, judge(row, one.measured[i], scale), row.known);
  }
  for (const Statement& statement : one.item.statements) {
    const Verdict verdict = judge(statement, one.measured, scale);
    summary.statements.add(verdict);
    add_reason(summary, verdict, statement.known);
  }
  return summary;
}

Tally tally_of(const Reproduced& one, double scale) {
  Tally tally;
  if (!one.not_run.empty()) return tally;
  for (std::size_t i = 0; i < one.item.rows.size(); ++i)
    tally.add(judge(one.item.rows[i], one.measured[i], scale));
  for (const Statement& statement : one.item.statements)
    tally.add(judge(statement, one.measured, scale));
  return tally;
}

}  // namespace holdfast::reproduction
