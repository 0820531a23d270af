/* Heat in a plate, in C99 with MPI: a solver that writes real checkpoints and restarts from them to the last bit.
 *
 *   mpicc -O2 heat.c -o heat
 *   mpirun -n 2 ./heat --size 256 --steps 2000 --every 500
 *   holdfast guard --trigger pipe --checkpoint-file heat.ckpt --output run1 -- mpirun -n 2 ./heat --steps 100000 --keep 1
 *
 * A checkpoint is written every --every steps, on SIGUSR1, or when a guard asks through its pipes (HOLDFAST_REQUESTS, HOLDFAST_PIPE).
 * The file holds a header, a CRC-32 of each row, and the rows; it is written beside the old one by MPI-IO, flushed to
 * the disk and renamed. Two are kept. A start takes the newest complete one. Rows are added up in their order, so the sum at the end is
 * the same however often the job was interrupted, and on any number of ranks.
 *
 * --late FILE counts, in two 64-bit numbers that outlive the program, its steps and those that began more than a whole --pace late.
 * --pace makes each step begin at a time of its own on all ranks, and --pad-checkpoint and --pad-recovery prolong saves and starts:
 * ranks sleep then, so that a small machine stands for a dedicated one. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define MAGIC "HFHEAT1"

struct header {
  char magic[8];
  int64_t size;
  int64_t step;
  uint32_t crc; /* of the members above */
  uint32_t zero;
};

struct options {
  long size, steps, every, keep;
  double pace, pad_checkpoint, pad_recovery;
  const char* file;
  const char* late;
};

static struct options opt = {256, 1000, 0, 2, 0, 0, 0, "heat.ckpt", NULL};
static int rank, ranks;
static long first, rows; /* of this rank */
static double *now, *next; /* rows + 2 of them, with a neighbour's row above and below */
static volatile sig_atomic_t is_asked = 0;
static int requests = -1, answers = -1;

static void fail(const char* what, const char* name) {
  fprintf(stderr, "heat: %s %s: %s\n", what, name, strerror(errno));
  MPI_Abort(MPI_COMM_WORLD, 4);
}

static void on_signal(int number) {
  (void)number;
  is_asked = 1;
}

static uint32_t crc32_of(const void* data, size_t size) {
  static uint32_t table[256];
  const unsigned char* byte = data;
  uint32_t crc = 0xffffffffu;
  if (table[1] == 0) {
    for (uint32_t i = 0; i < 256; ++i) {
      uint32_t c = i;
      for (int k = 0; k < 8; ++k) c = (c & 1) ? 0xedb88320u ^ (c >> 1) : c >> 1;
      table[i] = c;
    }
  }
  for (size_t i = 0; i < size; ++i) crc = table[(crc ^ byte[i]) & 255] ^ (crc >> 8);
  return crc ^ 0xffffffffu;
}

static void sleep_until(double date) {
  const double left = date - MPI_Wtime();
  if (left > 0) {
    struct timespec time = {(time_t)left, (long)((left - (double)(time_t)left) * 1e9)};
    nanosleep(&time, NULL);
  }
}

/* Steps, and how many of them began late: in a file, which stays when the program is killed. */
static int64_t* counts = NULL;

static void open_counts(void) {
  void* place;
  int file;
  if (opt.late == NULL || rank != 0) return;
  file = open(opt.late, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0 || ftruncate(file, 2 * sizeof *counts) != 0) fail("cannot write", opt.late);
  place = mmap(NULL, 2 * sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (place == MAP_FAILED) fail("cannot write", opt.late);
  counts = place;
}

/* One line to the guard, where there is one. */
static void tell(const char* line) {
  if (rank == 0 && answers >= 0 && write(answers, line, strlen(line)) < 0 && errno != EPIPE) {
    fail("cannot write to", "HOLDFAST_PIPE");
  }
}

static void open_pipes(void) {
  const char* in = getenv("HOLDFAST_REQUESTS");
  const char* out = getenv("HOLDFAST_PIPE");
  if (rank != 0) return;
  signal(SIGPIPE, SIG_IGN);
  /* For reading and writing: the end that the guard holds may come and go. */
  if (in != NULL && *in != '\0') requests = open(in, O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (out != NULL && *out != '\0') answers = open(out, O_RDWR | O_CLOEXEC);
}

/* 1: save, 2: save and stop. */
static int request(void) {
  static char line[512];
  static size_t length = 0;
  int found = 0;
  char c;
  if (is_asked) {
    is_asked = 0;
    found = 1;
  }
  while (requests >= 0 && read(requests, &c, 1) == 1) {
    if (c != '\n') {
      if (length + 1 < sizeof line) line[length++] = c;
      continue;
    }
    line[length] = '\0';
    length = 0;
    if (strcmp(line, "checkpoint") == 0 && found == 0) found = 1;
    if (strcmp(line, "stop") == 0) found = 2;
  }
  return found;
}

static MPI_Offset row_place(long row) {
  return (MPI_Offset)(sizeof(struct header) + (size_t)opt.size * sizeof(uint32_t) +
                      (size_t)row * (size_t)opt.size * sizeof(double));
}
static MPI_Offset crc_place(long row) {
  return (MPI_Offset)(sizeof(struct header) + (size_t)row * sizeof(uint32_t));
}

/* Puts the new file in the place of the old one, which stays as FILE.1 and so on. */
static int rotate(const char* fresh) {
  char old[4096], young[4096];
  for (long age = opt.keep - 1; age >= 1; --age) {
    snprintf(old, sizeof old, "%s.%ld", opt.file, age);
    if (age > 1) {
      snprintf(young, sizeof young, "%s.%ld", opt.file, age - 1);
      if (rename(young, old) != 0 && errno != ENOENT) return 0;
    } else {
      if (unlink(old) != 0 && errno != ENOENT) return 0;
      if (link(opt.file, old) != 0 && errno != ENOENT) return 0;
    }
  }
  return rename(fresh, opt.file) == 0;
}

static int save(long step) {
  char fresh[4096];
  struct header head = {MAGIC, opt.size, step, 0, 0};
  uint32_t* crc = malloc((size_t)rows * sizeof *crc + 1);
  MPI_File file;
  int ok = crc != NULL, all = 0;
  const double end = MPI_Wtime() + opt.pad_checkpoint;
  tell("begin\n");
  snprintf(fresh, sizeof fresh, "%s.new", opt.file);
  for (long i = 0; ok && i < rows; ++i) crc[i] = crc32_of(now + (i + 1) * opt.size, (size_t)opt.size * sizeof(double));
  if (rank == 0) unlink(fresh);
  MPI_Barrier(MPI_COMM_WORLD);
  if (MPI_File_open(MPI_COMM_WORLD, fresh, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file) == MPI_SUCCESS) {
    head.crc = crc32_of(&head, offsetof(struct header, crc));
    if (rank == 0) ok = ok && MPI_File_write_at(file, 0, &head, sizeof head, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS;
    ok = MPI_File_write_at_all(file, crc_place(first), crc, (int)rows, MPI_UINT32_T, MPI_STATUS_IGNORE) == MPI_SUCCESS && ok;
    ok = MPI_File_write_at_all(file, row_place(first), now + opt.size, (int)(rows * opt.size), MPI_DOUBLE, MPI_STATUS_IGNORE) ==
             MPI_SUCCESS && ok;
    ok = MPI_File_sync(file) == MPI_SUCCESS && ok;
    ok = MPI_File_close(&file) == MPI_SUCCESS && ok;
  } else {
    ok = 0;
  }
  free(crc);
  MPI_Allreduce(&ok, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  sleep_until(end); /* before the rename: a program that is killed in a prolonged save has not saved */
  if (all && rank == 0) all = rotate(fresh);
  MPI_Bcast(&all, 1, MPI_INT, 0, MPI_COMM_WORLD);
  tell(all ? "done\n" : "failed\n");
  if (!all && rank == 0) fprintf(stderr, "heat: the checkpoint of step %ld was not written\n", step);
  return all;
}

/* Returns the step of a complete file, or -1. */
static long restored_from(const char* name) {
  struct header head;
  uint32_t* crc = malloc((size_t)rows * sizeof *crc + 1);
  MPI_File file;
  int ok = crc != NULL, all = 0;
  if (MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &file) != MPI_SUCCESS) {
    free(crc);
    return -1;
  }
  memset(&head, 0, sizeof head);
  ok = MPI_File_read_at_all(file, 0, &head, sizeof head, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS && ok;
  ok = ok && memcmp(head.magic, MAGIC, sizeof head.magic) == 0 && head.size == opt.size &&
       head.crc == crc32_of(&head, offsetof(struct header, crc));
  MPI_Allreduce(&ok, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  if (all) {
    ok = MPI_File_read_at_all(file, crc_place(first), crc, (int)rows, MPI_UINT32_T, MPI_STATUS_IGNORE) == MPI_SUCCESS;
    ok = MPI_File_read_at_all(file, row_place(first), now + opt.size, (int)(rows * opt.size), MPI_DOUBLE, MPI_STATUS_IGNORE) ==
             MPI_SUCCESS && ok;
    for (long i = 0; ok && i < rows; ++i) ok = crc[i] == crc32_of(now + (i + 1) * opt.size, (size_t)opt.size * sizeof(double));
    MPI_Allreduce(&ok, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  }
  MPI_File_close(&file);
  free(crc);
  return all ? (long)head.step : -1;
}

static void begin_anew(void) {
  for (long i = 0; i < rows; ++i) {
    for (long j = 0; j < opt.size; ++j) now[(i + 1) * opt.size + j] = (first + i) % 17 + (double)(j % 13) / 13;
  }
}

static long begin(void) {
  char name[4096];
  long step = -1;
  const double end = MPI_Wtime() + opt.pad_recovery;
  for (long age = 0; step < 0 && age < (opt.keep > 2 ? opt.keep : 2); ++age) {
    if (age == 0) snprintf(name, sizeof name, "%s", opt.file);
    else snprintf(name, sizeof name, "%s.%ld", opt.file, age);
    step = restored_from(name);
  }
  if (step < 0) {
    begin_anew();
    return 0;
  }
  sleep_until(end);
  if (rank == 0) fprintf(stderr, "heat: continues from step %ld of %s\n", step, name);
  return step;
}

static void exchange(void) {
  const int up = rank == 0 ? MPI_PROC_NULL : rank - 1, down = rank + 1 == ranks ? MPI_PROC_NULL : rank + 1, n = (int)opt.size;
  MPI_Sendrecv(now + opt.size, n, MPI_DOUBLE, up, 1, now + (rows + 1) * opt.size, n, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(now + rows * opt.size, n, MPI_DOUBLE, down, 2, now, n, MPI_DOUBLE, up, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* The border of the plate keeps its heat. */
static void advance(void) {
  const long n = opt.size;
  double* old = now;
  exchange();
  for (long i = 1; i <= rows; ++i) {
    const int is_border = first + i == 1 || first + i == n;
    for (long j = 0; j < n; ++j) {
      const double* at = now + i * n + j;
      next[i * n + j] = is_border || j == 0 || j == n - 1 ? *at : *at + 0.2 * (at[-n] + at[n] + at[-1] + at[1] - 4 * *at);
    }
  }
  now = next;
  next = old;
}

/* Row by row, in their order: the same on any number of ranks. */
static double sum(void) {
  double total = 0;
  double* row = malloc((size_t)opt.size * sizeof *row);
  for (int from = 0; from < ranks; ++from) {
    long count = rows;
    MPI_Bcast(&count, 1, MPI_LONG, from, MPI_COMM_WORLD);
    for (long i = 0; i < count; ++i) {
      if (rank == from) memcpy(row, now + (i + 1) * opt.size, (size_t)opt.size * sizeof *row);
      MPI_Bcast(row, (int)opt.size, MPI_DOUBLE, from, MPI_COMM_WORLD);
      for (long j = 0; j < opt.size; ++j) total += row[j];
    }
  }
  free(row);
  return total;
}

static void read_options(int count, char** words) {
  for (int i = 1; i < count; ++i) {
    const char* value = i + 1 < count ? words[i + 1] : NULL;
    char* end = NULL;
    double number = value != NULL ? strtod(value, &end) : -1;
    const int is_number = value != NULL && *value != '\0' && *end == '\0' && number >= 0 && number < 1e15;
    const int is_count = is_number && number == (double)(long)number;
    if (strcmp(words[i], "--file") == 0 && value != NULL) opt.file = value;
    else if (strcmp(words[i], "--late") == 0 && value != NULL) opt.late = value;
    else if (strcmp(words[i], "--size") == 0 && is_count && number >= 3 && number <= 30000) opt.size = (long)number;
    else if (strcmp(words[i], "--steps") == 0 && is_count) opt.steps = (long)number;
    else if (strcmp(words[i], "--every") == 0 && is_count) opt.every = (long)number;
    else if (strcmp(words[i], "--keep") == 0 && is_count && number >= 1) opt.keep = (long)number;
    else if (strcmp(words[i], "--pace") == 0 && is_number) opt.pace = number;
    else if (strcmp(words[i], "--pad-checkpoint") == 0 && is_number) opt.pad_checkpoint = number;
    else if (strcmp(words[i], "--pad-recovery") == 0 && is_number) opt.pad_recovery = number;
    else {
      if (rank == 0) {
        fprintf(stderr, "heat: found %s %s, expected --file NAME, --size N (3 to 30000), --steps N, --every N, --keep N, --pace S, "
                "--pad-checkpoint S, --pad-recovery S, --late FILE\n", words[i], value != NULL ? value : "");
      }
      MPI_Finalize();
      exit(2);
    }
    ++i;
  }
}

int main(int count, char** words) {
  long step;
  int what = 0;
  double start;
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  signal(SIGUSR1, on_signal);
  read_options(count, words);
  if (ranks > opt.size) {
    if (rank == 0) fprintf(stderr, "heat: found %d ranks, expected at most one per row, %ld\n", ranks, opt.size);
    MPI_Finalize();
    return 2;
  }
  first = opt.size * rank / ranks;
  rows = opt.size * (rank + 1) / ranks - first;
  now = calloc((size_t)(rows + 2) * (size_t)opt.size, sizeof *now);
  next = calloc((size_t)(rows + 2) * (size_t)opt.size, sizeof *next);
  if (now == NULL || next == NULL) fail("no memory for", "the plate");
  open_pipes();
  open_counts();
  step = begin();
  MPI_Barrier(MPI_COMM_WORLD);
  tell("ready\n");
  start = MPI_Wtime();
  for (long done = 0; step < opt.steps && what != 2; ++done) {
    int mine;
    if (opt.pace > 0) sleep_until(start + (double)done * opt.pace);
    if (counts != NULL) {
      ++counts[0];
      counts[1] += MPI_Wtime() - start > (double)(done + 1) * opt.pace;
    }
    advance();
    ++step;
    /* Any rank may have been asked, by a signal. */
    mine = rank == 0 ? request() : (is_asked ? (is_asked = 0, 1) : 0);
    MPI_Allreduce(&mine, &what, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (what == 0 && opt.every > 0 && step % opt.every == 0) what = 1;
    if (what != 0) {
      const double before = MPI_Wtime();
      save(step);
      start += MPI_Wtime() - before;
    }
    if (answers >= 0 && step % 100 == 0) {
      char line[64];
      snprintf(line, sizeof line, "progress %ld %ld\n", step, opt.steps);
      tell(line);
    }
  }
  {
    const double total = sum();
    if (rank == 0) printf("step %ld sum %a\n", step, total);
  }
  free(now);
  free(next);
  MPI_Finalize();
  return 0;
}
