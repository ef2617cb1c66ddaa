// Assigns ids to connections from the settings, where ids are optional and may repeat.

/**
 * The presets with unique ids. An id in the settings belongs to the first preset that has it. A preset without id gets
 * `preset:` and its address. A number is appended to an id that is taken.
 */
export function assignPresetIds<Preset extends { id?: string | undefined; address: string }>(
  presets: readonly Preset[],
): (Preset & { id: string })[] {
  const written = new Set(presets.flatMap(({ id }) => id ?? []));
  const taken = new Set<string>();
  return presets.map((preset) => {
    const wanted = preset.id ?? `preset:${preset.address}`;
    let id = wanted;
    const isFree = (): boolean => !taken.has(id) && (id === preset.id || !written.has(id));
    for (let count = 2; !isFree(); count++) id = `${wanted}#${count}`;
    taken.add(id);
    return { ...preset, id };
  });
}
