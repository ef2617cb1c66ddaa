// A text field with suggestions, by ARIA's combobox pattern. Any text may be typed.
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";

interface ValueFieldProps {
  label: string;
  value: string;
  /** The suggestions; typing narrows them. */
  values: readonly string[];
  isWrong: boolean;
  /** Ids of the elements that describe the field. */
  describedBy: string;
  change: (value: string) => void;
  onFocus: () => void;
  onBlur: () => void;
}

/** The most suggestions shown at once. */
const maxShown = 100;

export function ValueField(props: ValueFieldProps) {
  const { label, value, values, isWrong, describedBy, change, onFocus, onBlur } = props;
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  const [isOpen, setOpen] = useState(false);
  /** Typed text filters the list; the initial value does not. */
  const [isTyped, setTyped] = useState(false);
  const [active, setActive] = useState(-1);
  const options = isOpen ? suggest(values, value, isTyped) : [];
  useLayoutEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active]);

  const open = (isOpened = true): void => {
    setOpen(isOpened);
    setActive(-1);
  };
  const choose = (option: string): void => {
    change(option);
    setTyped(false);
    open(false);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const option = options[active];
    if (step !== undefined) {
      const from = active < 0 && step < 0 ? 0 : active;
      if (options.length === 0) open();
      else setActive((from + step + options.length) % options.length);
    } else if (event.key === "Enter" && option !== undefined) choose(option);
    else if (event.key === "Escape" && options.length > 0) open(false);
    else {
      if (event.key === "Enter") open(false);
      return;
    }
    event.preventDefault();
  };
  return (
    <div class="value-field">
      <input
        class="input"
        type="text"
        value={value}
        autocomplete="off"
        spellcheck={false}
        role="combobox"
        aria-label={label}
        aria-autocomplete="list"
        aria-controls={id}
        aria-describedby={describedBy}
        aria-invalid={isWrong}
        aria-expanded={options.length > 0}
        aria-activedescendant={
          options[active] === undefined ? undefined : `${id}-${String(active)}`
        }
        onFocus={() => {
          onFocus();
          open();
        }}
        onBlur={() => {
          open(false);
          onBlur();
        }}
        onClick={() => open()}
        onInput={({ currentTarget }) => {
          setTyped(true);
          change(currentTarget.value);
          open();
        }}
        onKeyDown={press}
      />
      {/* The field keeps the focus while an option is clicked. */}
      <ul
        class="suggestions"
        id={id}
        role="listbox"
        aria-label={label}
        ref={list}
        hidden={options.length === 0}
        onMouseDown={(event) => event.preventDefault()}
      >
        {options.map((option, at) => (
          <li
            key={at}
            id={`${id}-${String(at)}`}
            role="option"
            title={option}
            aria-selected={at === active}
            onClick={() => choose(option)}
          >
            {option}
          </li>
        ))}
      </ul>
    </div>
  );
}

function suggest(values: readonly string[], value: string, isTyped: boolean): readonly string[] {
  const wanted = isTyped ? value.trim().toLowerCase() : "";
  const found = values.filter((one) => one.toLowerCase().includes(wanted));
  // Hides a suggestion that is already typed in full.
  const isDone = isTyped && found.length === 1 && found[0] === value;
  return isDone ? [] : found.slice(0, maxShown);
}
