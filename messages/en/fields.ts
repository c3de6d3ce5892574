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
  passwordWeak:
    "This password is easy to guess: {reason, select, userInputs {it is made of your name or e-mail address} topTen {it is one of the ten most common passwords} topHundred {it is one of the hundred most common passwords} common {it is a common password} wordByItself {it is a common word} similarToCommon {it is a common password or word with a few characters changed or added} straightRow {its keys are next to each other} keyPattern {its keys are next to each other} simpleRepeat {it repeats the same characters} extendedRepeat {it repeats the same characters} sequences {it is a sequence such as abc or 123} recentYears {it is mostly a year} dates {it is mostly a date} other {it is short, or a word with a few more characters}}. Choose another, for example four unrelated words.",
  emailFault:
    "{reason, select, invisible {The address contains an invisible character. Delete it and type the address by hand.} mixed {The address mixes similar-looking letters of several alphabets. Type it again in one alphabet.} other {Enter an address like name@example.com.}}",
  show: "Show {what, select, key {key} token {token} current {current password} other {password}}",
  hide: "Hide {what, select, key {key} token {token} current {current password} other {password}}",
  back: "Back",
  or: "or",
  language: "Language",
  languageHint: "For the console in all your browsers, and for your e-mails.",
  languageOfMail: "Language of the e-mail",
  languageOfBrowser: "As the browser asks",
  enterAName: "Enter a name.",
  nameChanged: "Name changed",
  saveName: "Save name",
} as const;
