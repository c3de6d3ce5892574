import askedGuards from "./asked-guards.ts";
import fields from "./fields.ts";
import guards from "./guards.ts";
import joining from "./joining.ts";
import library from "./library.ts";
import links from "./links.ts";
import pages from "./pages.ts";
import setUp from "./set-up.ts";
import shell from "./shell.ts";
import signIn from "./sign-in.ts";
import signInProblems from "./sign-in-problems.ts";
import ui from "./ui.ts";

export default {
  askedGuards,
  fields,
  guards,
  joining,
  library,
  links,
  pages,
  setUp,
  shell,
  signIn,
  signInProblems,
  ui,
};
