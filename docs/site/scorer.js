// What a search finds first: pages that explain, before lists, texts of files and the history of the project.
const FIRST = ["domains/", "tutorials/", "how-to/"];
const LAST = ["project/", "files/", "decisions/", "bibliography", "reference/"];

var Scorer = {
  score: ([name, , , , score]) =>
    score + (FIRST.some((start) => name.startsWith(start)) ? 20 : LAST.some((start) => name.startsWith(start)) ? -4 : 0),
  // The rest as Sphinx has it.
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: {0: 15, 1: 5, 2: -5},
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
