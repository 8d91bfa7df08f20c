// Types that Embind registers in every program and that no function here takes or gives. That of truth values stays: it
// brings along what the type of whole numbers needs.

addToLibrary(
  Object.fromEntries(
    ["emval", "float", "memory_view", "std_string", "std_wstring"].flatMap((type) => [
      [`_embind_register_${type}`, () => {}],
      [`_embind_register_${type}__deps`, []],
    ]),
  ),
);
