/* A program with a loop of its own, in C99. */
#include <holdfast.h>
#include <stdio.h>

int main(void) {
  hf_advisor* advisor = NULL;
  char message[256];
  hf_advice advice;
  const long steps = 2000000;
  long step = 0;
  long saved = 0;
  int code = hf_advisor_create("{\"first\": \"1ms\", \"max_interval\": \"20ms\"}", &advisor, message, sizeof message);
  if (code != HF_OK) {
    fprintf(stderr, "%s\n", message);
    return code;
  }
  hf_advisor_ready(advisor);
  while (step < steps) {
    hf_advisor_progress(advisor, (double)++step, (double)steps);
    if (hf_advisor_need_checkpoint(advisor)) {
      hf_advisor_checkpoint_begin(advisor, 1);
      ++saved;
      hf_advisor_checkpoint_end(advisor, 1);
    }
    if (hf_advisor_should_stop(advisor)) break;
  }
  advice.size = sizeof advice;
  if (hf_advisor_advice(advisor, &advice) != HF_OK) return 1;
  printf("%ld steps, %ld checkpoints, %g s each\n", step, advice.checkpoints, advice.checkpoint);
  hf_advisor_destroy(advisor);
  return step == steps && saved > 0 && advice.checkpoints == saved ? 0 : 1;
}
