/** Fields that several pages have. */
export default {
  email: "E-mail",
  password: "Password",
  newPassword: "New password",
  yourName: "Your name",
  enterName: "Enter your name.",
  enterEmail: "Enter your e-mail address.",
  choosePassword: "Choose a password.",
  passwordTooShort: "Use at least {count, number} characters.",
  passwordHint: "At least {count, number} characters, and not easy to guess. Four unrelated words work well.",
  show: "Show {what, select, key {key} token {token} current {current password} other {password}}",
  hide: "Hide {what, select, key {key} token {token} current {current password} other {password}}",
  back: "Back",
  or: "or",
  language: "Language",
} as const;
