set pagination off
set debuginfod enabled off
set breakpoint pending on
break normalise
run
backtrace
continue
