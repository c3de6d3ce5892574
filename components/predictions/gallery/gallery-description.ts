/** What the gallery is for. */
export const galleryDescription = "Everything that runs have made, until its files are removed.";
