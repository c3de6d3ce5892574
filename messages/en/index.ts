import askedGuards from "./asked-guards.ts";
import causes from "./causes.ts";
import fields from "./fields.ts";
import guards from "./guards.ts";
import home from "./home.ts";
import joining from "./joining.ts";
import library from "./library.ts";
import links from "./links.ts";
import mail from "./mail.ts";
import missing from "./missing.ts";
import notes from "./notes.ts";
import nouns from "./nouns.ts";
import pages from "./pages.ts";
import palette from "./palette.ts";
import setUp from "./set-up.ts";
import shell from "./shell.ts";
import shortcuts from "./shortcuts.ts";
import signIn from "./sign-in.ts";
import signInProblems from "./sign-in-problems.ts";
import ui from "./ui.ts";

export default {
  askedGuards,
  causes,
  fields,
  guards,
  home,
  joining,
  library,
  links,
  mail,
  missing,
  notes,
  nouns,
  pages,
  palette,
  setUp,
  shell,
  shortcuts,
  signIn,
  signInProblems,
  ui,
};
