/** What the certificate of a claim is for, one of them: to sign claims (C2PA, and Microsoft's older number), documents or e-mails. */
export const claimPurposes = [
  "1.3.6.1.4.1.62558.2.1",
  "1.3.6.1.4.1.311.76.59.1.9",
  "1.3.6.1.5.5.7.3.36",
  "1.3.6.1.5.5.7.3.4",
];
