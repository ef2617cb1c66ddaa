// Ids for connections from the settings, where ids are optional and anybody may write anything.

/**
 * The presets with an id each that no other has. An id that was written belongs to the first that has it; one without
 * an id is `preset:` and its address. Who finds an id taken gets a number behind it.
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
