set pagination off
set debuginfod enabled off
set breakpoint pending on
break triple
run
finish
delete
break values.cl:17 if id == 5
continue
info args
info locals
print shared
continue
