#include "holdfast/domains/workflow/families/sketch.hpp"

#include <algorithm>
#include <array>

/// Families of bioinformatics: fans, chains between a split and a merge, grids of chromosomes.
namespace holdfast::workflow {
namespace {

// One task, many after it, and two that gather all of them.
void draw_fan(Sketch& sketch, std::span<const std::size_t> sources, std::size_t work,
              std::size_t first_gather, std::size_t second_gather, std::int64_t width) {
  std::vector<std::size_t> middle;
  middle.reserve(static_cast<std::size_t>(width));
  for (std::int64_t i = 0; i < width; ++i) middle.push_back(sketch.add(work, sources));
  sketch.add(first_gather, middle);
  sketch.add(second_gather, middle);
}

constexpr auto kBlastTypes = std::to_array<TaskType>({
    {"split_fasta", arcsine(3.160018)},
    {"blastall", triangular(1799.556624)},
    {"cat_blast", arcsine(16.689957)},
    {"cat", arcsine(0.021895)},
});

void draw_blast(Sketch& sketch, std::int64_t tasks) {
  const std::size_t split = sketch.add(0);
  draw_fan(sketch, std::span(&split, 1), 1, 2, 3, tasks - 3);
}

constexpr auto kBwaTypes = std::to_array<TaskType>({
    {"fastq_reduce", argus(4.724154, -0.5837, 1.70331, 1.59954)},
    {"bwa_index", arcsine(1158.975678)},
    {"bwa", argus(34.912105, -0.714653, 1.738331)},
    {"cat_bwa", arcsine(519.460108)},
    {"cat", argus(0.073623, -0.5837, 1.70331, 1.59954)},
});

void draw_bwa(Sketch& sketch, std::int64_t tasks) {
  const std::size_t sources[] = {sketch.add(0), sketch.add(1)};
  draw_fan(sketch, sources, 2, 3, 4, tasks - 4);
}

constexpr auto kSrasearchTypes = std::to_array<TaskType>({
    {"bowtie2-build",
     {.shape = Shape::inverse_gaussian,
      .largest = 33.288,
      .location = -0.177993,
      .scale = 0.789164}},
    {"fasterq-dump",
     {.shape = Shape::fisk,
      .largest = 4343.699,
      .location = -0.304214,
      .scale = 0.630906,
      .a = 3.919903}},
    {"bowtie2", arcsine(121.024, -0.0735892, 1.0735892)},
    {"merge",
     {.shape = Shape::beta,
      .largest = 0.305,
      .location = -0.0995233,
      .scale = 1.0995233,
      .a = 0.128455,
      .b = 0.199673}},
});

void draw_srasearch(Sketch& sketch, std::int64_t tasks) {
  constexpr std::size_t kMerged = 25;
  const std::size_t build = sketch.add(0);
  std::vector<std::size_t> aligned;
  for (std::int64_t i = 0; i < (tasks - 2) / 2; ++i) {
    const std::size_t dump = sketch.add(1);
    aligned.push_back(sketch.add(2, dump));
    sketch.after(build);
  }
  std::vector<std::size_t> merges;
  for (std::size_t i = 0; i < aligned.size(); i += kMerged) {
    const std::size_t count = std::min(kMerged, aligned.size() - i);
    merges.push_back(sketch.add(3, std::span(aligned).subspan(i, count)));
  }
  if (merges.size() > 1) sketch.add(3, merges);
}

constexpr auto kEpigenomicsTypes = std::to_array<TaskType>({
    {"fastqSplit", constant(878.473)},
    {"filterContams", argus(47.417, -0.626794, 1.62805)},
    {"sol2sanger", argus(28.568, -0.636014, 1.637264)},
    {"fast2bfq", argus(10.513, -0.625563, 1.626827)},
    {"map",
     {.shape = Shape::double_weibull,
      .largest = 122.642,
      .location = 0.189005,
      .scale = 0.2221,
      .a = 1.372929}},
    {"mapMerge", arcsine(37.253, -0.098506, 1.098506)},
    {"chr21", arcsine(120.272, -0.3036, 1.3036)},
    {"pileup", arcsine(99.597, -0.1114254, 1.1114254)},
});

void draw_epigenomics(Sketch& sketch, std::int64_t tasks) {
  const std::int64_t sequences = sketch.stream().integer(1, (tasks - 5 + 11) / 12);
  const std::int64_t spare = tasks - 6 * sequences - 3;
  const std::int64_t lines = spare > 0 ? 1 + spare / (4 * sequences) : 1;
  std::vector<std::size_t> merges;
  std::vector<std::size_t> mapped;
  for (std::int64_t sequence = 0; sequence < sequences; ++sequence) {
    const std::size_t split = sketch.add(0);
    mapped.clear();
    for (std::int64_t line = 0; line < lines; ++line) {
      std::size_t last = split;
      for (std::size_t type = 1; type <= 4; ++type) last = sketch.add(type, last);
      mapped.push_back(last);
    }
    merges.push_back(sketch.add(5, mapped));
  }
  const std::size_t merge = sketch.add(5, merges);
  sketch.add(7, sketch.add(6, merge));
}

constexpr auto kGenomeTypes = std::to_array<TaskType>({
    {"individuals", argus(192.232, -0.692324, 1.694857)},
    {"individuals_merge",
     {.shape = Shape::arc_of_order,
      .largest = 157.346,
      .location = 0.885673,
      .scale = 0.609811,
      .a = 1.038138}},
    {"sifting", normal(22.686, 0.203704, 0.275356)},
    {"mutation_overlap", argus(92.154, -0.707555, 1.710227)},
    {"frequency",
     {.shape = Shape::double_weibull,
      .largest = 238.26,
      .location = 0.193906,
      .scale = 0.23184,
      .a = 1.371034}},
});

void draw_genome(Sketch& sketch, std::int64_t tasks) {
  constexpr std::int64_t kMostChromosomes = 22;
  constexpr std::int64_t kMostPopulations = 7;
  std::int64_t chromosomes = 1;
  std::int64_t individuals = 1;
  std::int64_t populations = 1;
  for (std::int64_t left = tasks - 5; left > 0;) {
    bool has_grown = false;
    if (individuals <= populations) {
      ++individuals;
      --left;
      has_grown = true;
    }
    if (populations < kMostPopulations && populations < individuals + 1 && left >= 2) {
      ++populations;
      left -= 2;
      has_grown = true;
    }
    if (has_grown) continue;
    const std::int64_t chromosome = 2 + 2 * populations + individuals;
    if (populations == kMostPopulations && chromosomes < kMostChromosomes && left >= chromosome) {
      ++chromosomes;
      left -= chromosome;
    } else if (left >= chromosomes) {
      ++individuals;
      left -= chromosomes;
    } else {
      break;
    }
  }
  std::vector<std::size_t> parts;
  for (std::int64_t chromosome = 0; chromosome < chromosomes; ++chromosome) {
    parts.clear();
    for (std::int64_t i = 0; i < individuals; ++i) parts.push_back(sketch.add(0));
    const std::size_t merge = sketch.add(1, parts);
    const std::size_t sifting = sketch.add(2);
    for (const std::size_t type : {std::size_t{3}, std::size_t{4}}) {
      for (std::int64_t i = 0; i < populations; ++i) {
        sketch.add(type, merge);
        sketch.after(sifting);
      }
    }
  }
}

constexpr LengthLaw ordered(double largest, double location, double scale, double a) {
  return {.shape = Shape::arc_of_order,
          .largest = largest,
          .location = location,
          .scale = scale,
          .a = a};
}
constexpr LengthLaw merging(double largest) {
  return {.shape = Shape::double_gamma,
          .largest = largest,
          .location = 1,
          .scale = 1.3016,
          .a = 0.193079};
}

constexpr auto kSoykbTypes = std::to_array<TaskType>({
    {"alignment_to_reference", ordered(133.207, 0.875174, 0.577876, 1.049751)},
    {"sort_sam", arcsine(89.242, -0.098506, 1.098506)},
    {"dedup", ordered(152.024, 0.888051, 0.590753, 1.056504)},
    {"add_replace", arcsine(139.801, -0.098506, 1.098506)},
    {"realign_target_creator", arcsine(474.546, -0.0864805, 1.0864805)},
    {"indel_realign", ordered(154.005, 0.877972, 0.608741, 1.054143)},
    {"haplotype_caller", argus(709.504, -0.611457, 1.613982)},
    {"genotype_gvcfs", arcsine(899.232, -0.098506, 1.098506)},
    {"merge_gcvf", merging(37861.356)},
    {"combine_variants", merging(163.914)},
    {"select_variants_indel", merging(207.667)},
    {"filtering_indel", merging(338.588)},
    {"select_variants_snp", merging(197.487)},
    {"filtering_snp", merging(67.509)},
});

void draw_soykb(Sketch& sketch, std::int64_t tasks) {
  const std::int64_t most = std::min<std::int64_t>(22, (tasks - 14 + 1) / 2);
  const std::int64_t chromosomes = tasks == 14 ? 1 : sketch.stream().integer(1, most);
  const std::int64_t spare = tasks - 2 * chromosomes - 12;
  const std::int64_t pipelines = spare > 0 ? 1 + spare / (chromosomes + 6) : 1;
  std::vector<std::vector<std::size_t>> callers(static_cast<std::size_t>(chromosomes));
  std::vector<std::size_t> all;
  for (std::int64_t pipeline = 0; pipeline < pipelines; ++pipeline) {
    std::size_t last = sketch.add(0);
    for (std::size_t type = 1; type <= 5; ++type) last = sketch.add(type, last);
    for (auto& of_chromosome : callers) {
      of_chromosome.push_back(sketch.add(6, last));
      all.push_back(of_chromosome.back());
    }
  }
  std::vector<std::size_t> genotypes;
  for (const auto& of_chromosome : callers) genotypes.push_back(sketch.add(7, of_chromosome));
  sketch.add(8, all);
  const std::size_t combined = sketch.add(9, genotypes);
  sketch.add(11, sketch.add(10, combined));
  sketch.add(13, sketch.add(12, combined));
}

}  // namespace

const FamilyRecipe kBlast{"blast", 5, kBlastTypes, draw_blast, 64};
const FamilyRecipe kBwa{"bwa", 6, kBwaTypes, draw_bwa, 5600};
const FamilyRecipe kSrasearch{"srasearch", 6, kSrasearchTypes, draw_srasearch, 80};
const FamilyRecipe kEpigenomics{"epigenomics", 9, kEpigenomicsTypes, draw_epigenomics, 0};
const FamilyRecipe kGenome{"genome", 5, kGenomeTypes, draw_genome, 1120};
const FamilyRecipe kSoykb{"soykb", 14, kSoykbTypes, draw_soykb, 100};

}  // namespace holdfast::workflow
