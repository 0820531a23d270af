#include "holdfast/domains/workflow/families/sketch.hpp"

#include <array>

/// Families of agriculture, astronomy and seismology.
namespace holdfast::workflow {
namespace {

constexpr auto kSeismologyTypes = std::to_array<TaskType>({
    {"sG1IterDecon", argus(5.615, -0.718375, 1.719151)},
    {"wrapper_siftSTFByMisfit", arcsine(1.351)},
});

void draw_seismology(Sketch& sketch, std::int64_t tasks) {
  std::vector<std::size_t> stations;
  for (std::int64_t i = 0; i + 1 < tasks; ++i) stations.push_back(sketch.add(0));
  sketch.add(1, stations);
}

constexpr auto kCyclesTypes = std::to_array<TaskType>({
    {"baseline_cycles", argus(110.598, -0.680573, 1.68119)},
    {"cycles", argus(101.596, -0.760671, 1.761325)},
    {"fertilizer_increase_cycles", argus(101.229, -0.757172, 1.757837)},
    {"fertilizer_increase_output_parser", triangular(1.235)},
    {"cycles_output_summary", normal(0.39, 0.0868866, 0.257283)},
    {"fertilizer_increase_output_summary", argus(0.538, -0.703883, 1.727298)},
    {"cycles_plots",
     {.shape = Shape::beta,
      .largest = 514.566,
      .location = -0.0995233,
      .scale = 1.0995233,
      .a = 0.111652,
      .b = 0.327857}},
});

struct CyclesSize {
  std::int64_t points = 1;
  std::int64_t crops = 1;
  std::int64_t parameters = 4;
};

constexpr std::int64_t choose_four(std::int64_t n) {
  return n * (n - 1) * (n - 2) * (n - 3) / 24;
}

CyclesSize cycles_size(std::int64_t tasks) {
  CyclesSize out;
  std::int64_t left = tasks - 7;
  for (bool has_grown = true; has_grown && left > 0;) {
    has_grown = false;
    const auto grow = [&](std::int64_t cost, std::int64_t& what) {
      left -= cost;
      ++what;
      has_grown = true;
    };
    const std::int64_t finer = 4 * out.crops * out.points *
                               (choose_four(out.parameters + 1) - choose_four(out.parameters));
    if (left >= finer) grow(finer, out.parameters);
    const std::int64_t crop = 4 * out.points * choose_four(out.parameters) + 3;
    if (left >= crop) grow(crop, out.crops);
    const std::int64_t point = 4 * out.crops * choose_four(out.parameters) + 3 * out.crops;
    if (left >= point && 2 * left >= tasks) grow(point, out.points);
  }
  return out;
}

void draw_cycles(Sketch& sketch, std::int64_t tasks) {
  const CyclesSize size = cycles_size(tasks);
  const std::int64_t chains = choose_four(size.parameters);
  std::vector<std::vector<std::size_t>> summaries(static_cast<std::size_t>(size.crops));
  std::vector<std::size_t> runs;
  std::vector<std::size_t> parsed;
  for (std::int64_t point = 0; point < size.points; ++point) {
    for (auto& of_crop : summaries) {
      runs.clear();
      parsed.clear();
      for (std::int64_t chain = 0; chain < chains; ++chain) {
        const std::size_t baseline = sketch.add(0);
        runs.push_back(sketch.add(1, baseline));
        const std::size_t fertilized = sketch.add(2, baseline);
        parsed.push_back(sketch.add(3, fertilized));
      }
      of_crop.push_back(sketch.add(4, runs));
      sketch.add(5, parsed);
    }
  }
  for (const auto& of_crop : summaries) sketch.add(6, of_crop);
}

// The types of the two data sets: first those of DSS, then those of 2MASS.
constexpr std::size_t kSecondSet = 8;
constexpr auto kMontageTypes = std::to_array<TaskType>({
    {"mProject", normal(1263.481, 0.243902, 0.308086)},
    {"mDiffFit", constant(33.974)},
    {"mConcatFit", arcsine(1.754)},
    {"mBgModel", arcsine(6.696)},
    {"mBackground", arcsine(114.103, -0.093523, 1.093523)},
    {"mImgtbl", arcsine(0.389)},
    {"mAdd", arcsine(23.162)},
    {"mViewer", arcsine(68.368)},
    {"mProject", constant(57.262)},
    {"mDiffFit", triangular(46.525)},
    {"mConcatFit", constant(1.2386)},
    {"mBgModel", constant(11.0529)},
    {"mBackground", constant(35.961)},
    {"mImgtbl", argus(1.762, -0.5837, 1.70331, 1.59954)},
    {"mAdd", arcsine(11.53)},
    {"mViewer", arcsine(57.913)},
});

/// The number of images or overlaps of a data set, and its growth with each step of degrees.
struct Growth {
  std::int64_t first = 0;
  std::int64_t low = 0;
  std::int64_t high = 0;
};
struct DataSet {
  std::size_t types;  ///< position of its first type
  std::int64_t least;
  Growth images;
  Growth overlaps;
};
constexpr DataSet kDss{0, 133, {4, 0, 8}, {120, 16, 252}};
constexpr DataSet kTwoMass{kSecondSet, 555, {68, 23, 65}, {414, 60, 164}};

std::size_t draw_band(Sketch& sketch, const DataSet& set, std::int64_t steps) {
  Stream& stream = sketch.stream();
  const auto grown = [&](const Growth& growth) {
    return growth.first + steps * stream.integer(growth.low, growth.high);
  };
  const std::int64_t images = grown(set.images);
  const std::int64_t overlaps = grown(set.overlaps);
  const std::size_t types = set.types;
  std::vector<std::size_t> projected;
  for (std::int64_t i = 0; i < images; ++i) projected.push_back(sketch.add(types));
  std::vector<std::size_t> fitted;
  for (std::int64_t i = 0; i < overlaps; ++i) {
    std::int64_t one = i;
    std::int64_t other = i + 1;
    if (i >= images - 1) {
      one = stream.integer(0, images - 1);
      other = stream.integer(0, images - 2);
      if (other >= one) ++other;
    }
    fitted.push_back(sketch.add(types + 1, projected[static_cast<std::size_t>(one)]));
    sketch.after(projected[static_cast<std::size_t>(other)]);
  }
  const std::size_t concatenated = sketch.add(types + 2, fitted);
  const std::size_t model = sketch.add(types + 3, concatenated);
  std::vector<std::size_t> corrected;
  for (std::int64_t i = 0; i < images; ++i) corrected.push_back(sketch.add(types + 4, model));
  const std::size_t table = sketch.add(types + 5, corrected);
  const std::size_t added = sketch.add(types + 6, table);
  sketch.add(types + 7, added);
  return added;
}

void draw_montage(Sketch& sketch, std::int64_t tasks) {
  constexpr std::int64_t kMostBands = 3;
  const bool is_small = tasks < kTwoMass.least;
  const DataSet& set = is_small || sketch.stream().chance(0.5) ? kDss : kTwoMass;
  std::int64_t left = tasks - set.least;
  std::int64_t bands = 1;
  std::int64_t steps = 0;
  for (bool has_grown = true; has_grown;) {
    has_grown = false;
    const std::int64_t step = bands * (2 * set.images.high + set.overlaps.high + 5);
    if (left >= step) {
      ++steps;
      left -= step;
      has_grown = true;
    }
    const std::int64_t band = 2 * (set.images.first + set.images.high * steps) +
                              (set.overlaps.first + set.overlaps.high * steps) + 5;
    if (bands < kMostBands && 2 * band <= left) {
      ++bands;
      left -= band;
      has_grown = true;
    }
  }
  std::vector<std::size_t> added;
  for (std::int64_t band = 0; band < bands; ++band) added.push_back(draw_band(sketch, set, steps));
  if (bands > 1) sketch.add(set.types + 7, added);
}

}  // namespace

const FamilyRecipe kSeismology{"seismology", 3, kSeismologyTypes, draw_seismology, 37600};
const FamilyRecipe kCycles{"cycles", 7, kCyclesTypes, draw_cycles, 2880};
const FamilyRecipe kMontage{"montage", 133, kMontageTypes, draw_montage, 0};

}  // namespace holdfast::workflow
