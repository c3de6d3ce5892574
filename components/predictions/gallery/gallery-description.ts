export const galleryDescription = "Everything that your runs made, until the files are removed.";
