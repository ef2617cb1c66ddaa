// The sample tables: homes for rent in a fictional town, generated with a fixed seed.
import type { Cell, Table } from "../server/state.ts";

const neighborhoods = [
  { name: "harbor", rent: 520, stationKm: 1.9, parks: 1, homes: 60 },
  { name: "old_town", rent: 300, stationKm: 0.9, parks: 2, homes: 110 },
  { name: "hillcrest", rent: 180, stationKm: 3.4, parks: 3, homes: 75 },
  { name: "riverside", rent: 90, stationKm: 2.2, parks: 4, homes: 95 },
  { name: "station", rent: -60, stationKm: 0.2, parks: 0, homes: 90 },
  { name: "mill_yard", rent: -150, stationKm: 4.1, parks: 1, homes: 70 },
];
const locations = [
  { name: "great", rent: 450, upTo: 0.35 },
  { name: "good", rent: 150, upTo: 0.8 },
  { name: "poor", rent: -250, upTo: 1 },
];

/** Returns a generator of numbers in [0, 1) that repeats its sequence for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns 500 homes in random order. The rent depends on neighborhood, size, location and time on the market. */
function createHomes(): Cell[][] {
  const random = seededRandom(20_260_401);
  const noise = () => random() + random() + random() - 1.5;
  const rows = neighborhoods.flatMap((neighborhood) =>
    Array.from({ length: neighborhood.homes }, (): Cell[] => {
      const rooms = Math.min(3, Math.floor(random() * 4.2));
      const bathrooms = rooms >= 2 && random() < 0.45 ? 2 : 1;
      const sqft = Math.round(260 + rooms * 270 + bathrooms * 60 + noise() * 140);
      const drawn = random();
      const location = locations.find(({ upTo }) => drawn < upTo) ?? { name: "good", rent: 150 };
      const days = Math.round(2 + random() ** 2 * 58);
      const size = sqft * 1.6 + rooms * 70 + bathrooms * 110;
      const place = neighborhood.rent + location.rent;
      const price = Math.round(640 + size + place - days * 2.5 + noise() * 260);
      return [rooms, bathrooms, sqft, location.name, neighborhood.name, days, price];
    }),
  );
  return rows
    .map((row) => ({ row, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ row }) => row);
}

/** The tables of the data source `files`. */
export function sampleTables(): [homes: Table, neighborhoods: Table] {
  return [
    {
      name: "home_rentals",
      noun: ["homes", "home", "flats?", "apartments?", "listings?", "rentals?", "home_rentals"],
      columns: [
        "number_of_rooms",
        "number_of_bathrooms",
        "sqft",
        "location",
        "neighborhood",
        "days_on_market",
        "rental_price",
      ],
      rows: createHomes(),
      words: {
        rental_price: /\b(rents?|rental price|prices?|priciest|costs?|expensive|cheap\w*|pay)\b/i,
        sqft: /\b(sqft|square|sizes?|big\w*|large\w*|small\w*)\b/i,
        days_on_market: /\b(days?|market)\b/i,
        number_of_rooms: /\b(bed)?rooms?\b/i,
        number_of_bathrooms: /\bbathrooms?\b/i,
        location: /\blocations?\b/i,
        neighborhood: /\b(neighbou?rhoods?|areas?|districts?)\b/i,
      },
    },
    {
      name: "neighborhoods",
      noun: ["neighborhoods"],
      columns: ["neighborhood", "station_km", "parks"],
      rows: neighborhoods.map(({ name, stationKm, parks }) => [name, stationKm, parks]),
      words: {
        parks: /\bparks?\b/i,
        station_km: /\b(kilomet\w+|km|distances?|far)\b/i,
        neighborhood: /\b(neighbou?rhoods?|areas?|districts?)\b/i,
      },
    },
  ];
}
