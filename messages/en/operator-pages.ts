/** Other pages of operators: signing, changes, mail, reported files. */
export default {
  receiptsAreSignedWithA: "Receipts are signed with a new key",
  receiptKeys: "Receipt keys",
  eachRunThatHasEnded:
    "Each run that has ended has a signed receipt. Anybody can check receipts with these public keys, which are published at /.well-known/gatehouse-receipts.json.",
  rotateKey: "Rotate key",
  retired: "Retired",
  currentKey: "Current key",
  copyPublicKey: "Copy public key",
  rotateTheReceiptKey: "Rotate the receipt key?",
  newReceiptsAreSignedWith:
    "New receipts are signed with a new key. Earlier receipts stay valid: the old public key is kept, and only the old private key is erased.",
  outputsAreNotSigned: "Outputs are not signed",
  setC2paCertificateFileAnd:
    "Set C2PA_CERTIFICATE_FILE and C2PA_KEY_FILE in the environment of the gateway and start it again. Signatures of providers stay in the files either way.",
  theFilesWereChangedAnd:
    "The files were changed and cannot be used. The previous certificate still signs. <english>{problem}</english>",
  outputsAreStoredUnsignedNow: "Outputs are stored unsigned now. {trial} <english>{error}</english>",
  certificate: "Certificate",
  whatThisIsAndWhat: "What this is, and what it is not",
  theSignedNoteStatesThat:
    "The signed note states that a generative model made the file, which model, and when. It lists the hashes of the input files. It contains no prompt and no name of an account or person. Notes on outputs of the sandbox state that no model ran.",
  aFileThatIsAlready:
    "A file that is already signed is never changed. Other types and files over 100 MB stay unsigned.",
  metadataCanBeLostSaving:
    "Metadata can be lost: saving a file again or sending it through most services removes it. A file without a note may still come from a model. There is no watermark.",
  eachViewerAppDecidesWhich:
    "Each viewer app decides which certificates it trusts. A certificate of a private authority is valid, but shown as not trusted.",
  theNotesHaveNoTime:
    "The notes have no time stamp of an authority, so they are valid only as long as the certificate.",
  youMustJudgeWhetherThis: "You must judge whether this satisfies the law.",
  noChangesYet: "No changes yet",
  eachChangeOfProvidersMapping: "Each change of providers, mapping and models is listed here.",
  changes: "Changes",
  when: "When",
  what: "What",
  who: "Who",
  details: "Details",
  actions: "Actions",
  mail: "Mail",
  howEMailsAndChat: "How e-mails and chat notices are sent.",
  forTheOperators: "For the operators",
  postNoticesAboutRefusedKeys:
    "Post notices about refused keys, failing providers, full disks and similar problems to your chat.",
  noMailServerIsConfigured: "No mail server is configured",
  setSmtpHostAndSmtp:
    "Set SMTP_HOST and SMTP_FROM in the environment of the gateway and start it again. Until then, people must copy links by hand, and notices appear only in the bell's menu.",
  mailServer: "Mail server",
  notSent: "Not sent",
  theLatestEMailsThat: "The latest e-mails that the server refused, with the server's response.",
  none: "None.",
  noReports: "No reports",
  visitorsOfASharedPage: "Visitors of a shared page can report its file. The report is then shown here.",
  reports: "Reports",
  reason: "Reason",
  account: "Account",
  status: "Status",
  reported: "Reported",
  instance: "Instance",
  onlyOperatorsSeeThisPage: "Only operators see this page",
  since: "since <since></since>",
  sinceUntil: "since <since></since> until <until></until>",
  libraryMissing:
    "This gateway is installed without the package @contentauth/c2pa-wasm. Install it (npm ci without --omit=optional) and start the gateway again.",
  certificateExpired:
    "The certificate has expired. Put a new certificate into its file; the gateway reads it at once.",
  libraryDoesNotSign: "The library does not sign with this certificate.",
  tookTooLong: "The test signature took too long. Reload the page.",
  tooManyWaiting: "Too many files are waiting to be signed. Reload the page later.",
  expiresOn: "The certificate expires on <time></time>. From then on outputs are stored unsigned.",
  testSignature: "Test signature",
  madeAndVerified: "made and verified just now",
  failed: "failed",
  signsAs: "Signs as",
  issuedBy: "Issued by",
  validFrom: "Valid from",
  expires: "Expires",
  algorithm: "Algorithm",
  signed: "Signed",
  aboutSigning: "Signed Content Credentials (C2PA) in outputs made by models.",
  aboutChanges: "Changes to providers, mappings and models, which you can undo.",
  starttls: "STARTTLS, required",
  tls: "TLS",
  unencrypted: "none",
  server: "Server",
  encryption: "Encryption",
  sender: "Sender",
  waiting: "Waiting",
  sentIn24h: "Sent in the last 24 hours",
  failedIn24h: "Failed in the last 24 hours",
  lastSent: "Last sent",
  never: "never",
  aboutReports:
    "Files on shared pages that a visitor reported. The owners of an account can also decide, but only for their own account.",
  aboutReport: "Removing deletes the file in every account. The owners see that an operator removed it.",
  stored: "Stored",
  filesInAccounts:
    "{files, plural, one {# file} other {# files}} with these bytes in {accounts, plural, one {# account} other {# accounts}}",
  filesWillBeDeleted:
    "{files, plural, one {# file} other {# files}} with these bytes in {accounts, plural, one {# account} other {# accounts}} will be deleted, in libraries and uploads too.",
  operatorsOnly:
    "Changes here apply to all accounts of this installation. Somebody with a shell on the server can make you an operator: <code>gatehouse operators add your@e-mail</code>",
} as const;
