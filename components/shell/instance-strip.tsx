import { ShellIcon } from "./shell-icon.tsx";

/** Above every page of the instance, in its colour: what is changed there is changed for everybody. */
export function InstanceStrip() {
  return (
    <section
      aria-label="Instance"
      className="flex items-center gap-2 border-b border-instance-line bg-instance-soft px-4 py-1 text-table text-instance tablet:px-6"
    >
      <ShellIcon name="server" size={14} className="max-phone:hidden" />
      <p>You configure the whole instance, for all accounts.</p>
    </section>
  );
}
