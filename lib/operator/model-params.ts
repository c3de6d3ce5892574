/** `<namespace>/<name>` takes two segments in the address. */
export function modelParams(id: string): { namespace: string; name: string } {
  const [namespace = "", name = ""] = id.split("/");
  return { namespace, name };
}
