/**
 * Extended key usages that a certificate for claims may have, at least one of them: claim signing (C2PA, and
 * Microsoft's older identifier), documents or e-mail.
 */
export const claimPurposes = [
  "1.3.6.1.4.1.62558.2.1",
  "1.3.6.1.4.1.311.76.59.1.9",
  "1.3.6.1.5.5.7.3.36",
  "1.3.6.1.5.5.7.3.4",
];
