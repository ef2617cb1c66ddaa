// The data of the tests: a table of rented homes and notes about listings, the same at every run.

/** One home, as a row of the table `files.home_rentals`. */
export interface Home {
  number_of_rooms: number;
  number_of_bathrooms: number;
  sqft: number;
  location: string;
  neighborhood: string;
  days_on_market: number;
  rental_price: number;
}

/** One note, as a row of the knowledge base `listing_notes`. */
export interface Note {
  id: number;
  content: string;
  neighborhood: string;
  rating: number;
}

const LOCATIONS = { great: 350, good: 120, poor: -180 };
const NEIGHBORHOODS = {
  downtown: 520,
  berkeley_hills: 430,
  westbrae: 260,
  alcatraz_ave: 240,
  thowsand_oaks: 180,
  south_side: 60,
};
const REMARKS = [
  "Bright flat with a washing machine in the unit and a balcony",
  "Quiet street, no pets allowed, near the subway station",
  "Large garden shared with neighbours, garage for one car",
  "Loud at night because of the bar on the corner",
  "Recently renovated kitchen with gas stove and dishwasher",
  "Old heating system, cold in winter, but very cheap",
  "Roof terrace with a view of the bay",
  "Furnished studio, internet included, ideal for students",
  "Family home with three bedrooms close to the school",
  "Basement room, little light, damp walls reported by tenants",
];

/** The homes of one seed; the price is a linear function of the rest, with some noise. */
export function homes(count = 500, seed = 42): Home[] {
  const random = randomNumbers(seed);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  return Array.from({ length: count }, () => {
    const rooms = pick([0, 1, 1, 1, 2, 2, 2, 3]);
    const bathrooms = rooms < 2 ? 1 : pick([1, 2]);
    const sqft = Math.round(300 + 260 * rooms + 200 * random());
    const days = 1 + Math.floor(60 * random());
    const [location, forLocation] = pick(Object.entries(LOCATIONS));
    const [neighborhood, forNeighborhood] = pick(Object.entries(NEIGHBORHOODS));
    const noise = 300 * (random() - 0.5);
    const forSize = 1.45 * sqft + 180 * rooms + 140 * bathrooms;
    const price = 1180 + forSize + forLocation + forNeighborhood - 3 * days + noise;
    return {
      number_of_rooms: rooms,
      number_of_bathrooms: bathrooms,
      sqft,
      location,
      neighborhood,
      days_on_market: days,
      rental_price: Math.round(price),
    };
  });
}

/** Thirty notes; every tenth, from the first, has a washing machine. */
export function notes(): Note[] {
  const neighborhoods = Object.keys(NEIGHBORHOODS);
  return Array.from({ length: 30 }, (_, i) => {
    const neighborhood = neighborhoods[i % neighborhoods.length]!;
    const remark = REMARKS[i % REMARKS.length]!;
    return {
      id: i + 1,
      content: `${remark}. Listing ${i + 1} in ${neighborhood}.`,
      neighborhood,
      rating: 1 + ((i * 7) % 5),
    };
  });
}

/** Rows as CSV; none of the values here needs quotes. */
export function toCsv(rows: readonly object[]): string {
  const lines = rows.map((row) => Object.values(row).join(","));
  return [Object.keys(rows[0] ?? {}).join(","), ...lines, ""].join("\n");
}

/** Evenly spread numbers from 0 up to 1 (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
