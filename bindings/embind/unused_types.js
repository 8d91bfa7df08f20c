// Types that Embind registers in every program and that no function here takes or gives: wide strings. Views of memory
// stay, since lists of numbers are read through them.

addToLibrary({
  _embind_register_std_wstring: () => {},
  _embind_register_std_wstring__deps: [],
});
