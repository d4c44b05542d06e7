# The last macro's words are a line each.
/__CL_GROUP_TYPE_NAMES/{
:join
N
$!b join
s/\n/ /g
}
s/ *@n */\n/g
s/\(^\|\n\)@/\1#/g
s/mpl_op_\(and\|x\?or\)\>/\1_/g
s/mpl_op_//g
