import askedGuards from "./asked-guards.ts";
import fields from "./fields.ts";
import joining from "./joining.ts";
import links from "./links.ts";
import setUp from "./set-up.ts";
import signIn from "./sign-in.ts";
import signInProblems from "./sign-in-problems.ts";

export default { askedGuards, fields, joining, links, setUp, signIn, signInProblems };
