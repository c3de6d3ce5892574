/** The space between Chinese and a tag of a message. `globals.css` hides it beside a time that has Chinese there. */
export function gap(name: string) {
  return (
    <span key={name} className="gap">
      {" "}
    </span>
  );
}
