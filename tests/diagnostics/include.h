int from_header(int x) {
  return x + not_there;
}
