// Code in the colors of the theme.
import type { CodePiece } from "../codeColors.ts";
import "./coloredCode.css";

export function ColoredCode({ pieces }: { pieces: CodePiece[] }) {
  return (
    <>
      {pieces.map(({ text, color }, at) =>
        color ? (
          <span key={at} class={`token-${color}`}>
            {text}
          </span>
        ) : (
          text
        ),
      )}
    </>
  );
}
