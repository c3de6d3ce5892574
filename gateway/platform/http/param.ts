/** The field at a JSON pointer as errors name it in `param`: `/messages/1/content` is `messages[1].content`. */
export function paramAt(pointer: string): string {
  let name = "";
  for (const step of pointer.split("/").slice(1)) {
    if (/^\d+$/.test(step)) name += `[${step}]`;
    else name += name === "" ? step : `.${step}`;
  }
  return name;
}
