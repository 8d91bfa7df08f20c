// The trainings' part of the library, fetched with the first training.
export { load } from "posenc/lab";
