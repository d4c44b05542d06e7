/* An error stands where the program says that its lines are. */
#line 0
#embed "/etc/hostname"
