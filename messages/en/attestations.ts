/** Attestations and what asks for them. */
export default {
  thisAttestationIsAlreadyRecorded:
    "This attestation is already recorded. Go back to the form and choose Run.",
  backToForm: "Back to form",
  loadingTheStatement: "Loading the statement",
  thisGatewayDoesNotAccept:
    "This gateway does not accept attestations through its API. Ask the operator how to record yours.",
  thisGatewayHasNoStatement:
    "This gateway has no statement for this attestation. Ask the operator to add one.",
  runsWithAServiceKey:
    "Runs with a service key pass this check when the owner or admin who is responsible for the key has attested. Your draft is kept in this browser.",
  step2Of2Review: "Step 2 of 2: review the record",
  step1Of2Read: "Step 1 of 2: read and confirm",
  back: "Back",
  recordAttestation: "Record attestation",
  notNow: "Not now",
  review: "Review",
  attestations: "Attestations",
  yourConfirmationAppliesToOne: "Your confirmation applies to one run only and is not saved.",
  statementsThatSignedInPeople: "Statements that signed-in people of this account have confirmed.",
  theAttestationsThatTheModels:
    "The attestations that the models of this gateway need are listed below. Ask the operator how to record yours.",
  attestationsThroughItsApi: "attestations through its API",
  confirmedForEveryRun: "Confirmed for every run",
  unknown: "Unknown",
  attested: "Attested",
  notAttested: "Not attested",
  readAndAttest: "Read and attest…",
  withdraw: "Withdraw…",
  confirmThisInTheForm: "Confirm this in the form for each run. Your confirmation is not saved.",
  usernameAttestedVersionStatementversionThe:
    "{username} attested version {statementversion}. The statement has changed and must be confirmed again.",
  requiredBy: "Required by",
  whoMayRun: "Who may run",
  aPersonsRunsUseTheir:
    "A person's runs use their own attestation; a service key uses that of the owner or admin who is responsible for it.",
  attestedBy: "Attested by",
  check: "Check",
  usedBy: "Used by",
  since: "Since",
  thePersonsOwnRuns: "The person's own runs",
  nothingAtPresent: "Nothing at present",
  history: "History",
  allAttestationsOfThisAccount: "All attestations of this account, including withdrawn ones.",
  noAttestationsYet: "No attestations yet.",
  attestationHistory: "Attestation history",
  by: "By",
  when: "When",
  withdrawn: "Withdrawn",
  statement: "Statement",
  ipAddress: "IP address",
  olderVersion: "older version",
  withdrawTheTolowercase: "Withdraw the {toLowerCase}?",
  yourRunsThatNeedThis:
    "Your runs that need this attestation, from this console and with your personal keys, are rejected from now on, even if they were accepted but not yet sent to a provider. You can attest again at any time.",
  signInToAttest:
    "<b>To attest, sign in with e-mail and password.</b> You are signed in with an account key. Attestations must be made by a person.",
  iHaveRead: "I have read this statement and I confirm it.",
  iHaveReadTitle: "I have read “{title}” and I confirm it.",
  titleAndVersion: "{title}, statement version <code>{version}</code>",
  name: "Name",
  email: "E-mail",
  statementOf: "{title}, version {version}",
  time: "Time",
  whenYouChoose: "when you choose the button; your IP address is also recorded",
  validUntil:
    "{count, plural, one {It is valid until you withdraw it} other {They are valid until you withdraw them}} on the Attestations page. Your run does not start automatically.",
  recordCount: "Record {count, number} attestations",
  hiddenUntilConfirmed:
    "The {hides, select, input {input} other {output}} of {model} is hidden until you confirm what this model requires. For a service key, its responsible person confirms.",
  requiredBeforeRun:
    "{model} requires {count, plural, one {this} other {these}} before it runs. Your draft is kept.",
  tickInTheForm:
    "Tick the confirmation in the form. In a request, it is <code>person_rights_confirmed</code>. The operation does not run without it.",
  attestationRecorded: "Attestation recorded",
  attestationWithdrawn: "Attestation withdrawn",
  attestedByAt: "Attested by {name}, <time></time>, statement version <code>{version}</code>.",
  serviceKeys: "Service keys: {names}",
  valid: "valid",
  version: "version <code>{version}</code>",
  withdrawNow: "Withdraw",
  adultGate: "Adult attestation",
  adultGateWhy:
    "Some models can generate adult content. Each person who runs them has to confirm their age first. For a service key, its responsible person confirms.",
  portraitGate: "Portrait-rights attestation",
  portraitGateWhy:
    "Some operations change the appearance of real people. Each person who runs them first has to confirm that the people shown have agreed. For a service key, its responsible person confirms.",
  personGate: "Person-rights confirmation",
  personGateWhy:
    "For each run, some operations require you to confirm that every identifiable person in the images is you or has agreed to this use.",
  gateAndWhy: "<b>{title}:</b> {why}",
  responsibleFromNowOn: "Responsible from now on",
  chooseAnOwnerOrAdmin: "Choose an owner or admin who has attested.",
  nobodyIsResponsible: "Nobody: gated operations stop",
  isResponsibleFor:
    "{who, select, self {You are} other {{name} is}} responsible for {count, plural, one {# service key} other {# service keys}}: <b>{keys}</b>. Gated operations with {count, plural, one {it} other {them}} stop at once unless somebody else takes over.",
} as const;
