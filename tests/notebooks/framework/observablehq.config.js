export default {
  root: "src",
  title: "posenc",
  pages: [],
  search: false,
  globalStylesheets: [], // the default is a font from another server
};
