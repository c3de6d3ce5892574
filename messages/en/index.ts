export { default as fields } from "./fields.ts";
export { default as joining } from "./joining.ts";
export { default as links } from "./links.ts";
export { default as setUp } from "./set-up.ts";
export { default as signIn } from "./sign-in.ts";
export { default as signInProblems } from "./sign-in-problems.ts";
