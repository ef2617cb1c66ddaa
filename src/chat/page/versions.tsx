// Buttons that switch between versions: of a question that was edited, or of its answers.
import { IconButton } from "../../shared/page/parts.tsx";

/** The version that is shown, and how to show its neighbors; undefined where there is none. */
export interface ShownVersion {
  text: string;
  showEarlier: (() => unknown) | undefined;
  showLater: (() => unknown) | undefined;
}

interface VersionsProps {
  class: string;
  /** Undefined if there is one version. */
  shown: ShownVersion | undefined;
  earlier: string;
  later: string;
}

export function Versions({ class: className, shown, earlier, later }: VersionsProps) {
  return (
    <div class={className} hidden={!shown}>
      {shown && (
        <>
          <VersionButton icon="chevron-left" label={earlier} show={shown.showEarlier} />
          <span>{shown.text}</span>
          <VersionButton icon="chevron-right" label={later} show={shown.showLater} />
        </>
      )}
    </div>
  );
}

interface VersionButtonProps {
  icon: string;
  label: string;
  show: (() => unknown) | undefined;
}

function VersionButton({ icon, label, show }: VersionButtonProps) {
  return <IconButton icon={icon} label={label} isDisabled={!show} press={() => show?.()} />;
}

/** Focuses the button with this label, or the one beside it if it is disabled. */
export function focusVersionButton(run: HTMLElement, label: string): void {
  const buttons = [...run.querySelectorAll<HTMLButtonElement>(".versions button")];
  const button = buttons.find(({ title }) => title === label);
  const other = button?.parentElement?.querySelector<HTMLElement>("button:enabled");
  (button?.disabled ? other : button)?.focus({ preventScroll: true });
}

/** Returns the label of the button that has the focus; undefined if it is none of these. */
export function findFocusedVersionButton(): string | undefined {
  return document.activeElement?.closest<HTMLElement>(".versions button")?.title;
}
