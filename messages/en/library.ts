/** The library: outputs that people keep. */
export default {
  description: "Outputs that your team keeps, with their inputs.",
  checkFile: "Check a file",
  cannotKeep:
    "Outputs cannot be kept here: the setting of this installation is <code>KEEP_OUTPUTS=off</code>. Outputs that were kept before stay in the library until somebody removes them.",
} as const;
