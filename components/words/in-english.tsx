/** A tag of messages around a sentence of the gateway or of a provider, which is English in every language. */
export const inEnglish = {
  english: (text: string[]) => (
    <span key="english" lang="en">
      {text}
    </span>
  ),
};
