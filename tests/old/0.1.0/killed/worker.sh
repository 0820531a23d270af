for step in 1 2 3; do
  test "$(cat state 2>/dev/null || echo 0)" -ge $step && continue
  sleep 0.2; echo $step > state.new; mv state.new state
  sleep 0.2
  test $step = 2 && test ! -e failed && touch failed && kill -9 $$
  test $step = 3 && test -e last && rm last && kill -9 $PPID $$
done
exit 0
