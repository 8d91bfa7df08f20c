// Types that Embind registers in every program, and that no function here takes or gives: registered, wide strings and
// views of memory would be a sixteenth of the main entry's JavaScript.

addToLibrary({
  _embind_register_std_wstring: () => {},
  _embind_register_std_wstring__deps: [],
  _embind_register_memory_view: () => {},
  _embind_register_memory_view__deps: [],
});
