// Documents of the sample knowledge bases, about the fictional company Lantern Lane Rentals.
import type { Document } from "../knowledgeBases/retrieval.ts";

function document(id: string, title: string, topic: string, year: number, text: string): Document {
  return { id, content: `${title}. ${text}`, metadata: { title, topic, year } };
}

/** House rules and neighborhood notes, for the knowledge base `rental_guide`. */
export const rentalGuide: Document[] = [
  document(
    "pets",
    "Pets",
    "rules",
    2025,
    "Up to two cats or one dog may live in a home. Large dogs over 30 kilograms need a written agreement. The pet deposit is 250 dollars and is returned if there is no damage. Reptiles and ferrets are not allowed.",
  ),
  document(
    "deposit",
    "Deposit",
    "payments",
    2025,
    "The security deposit is one month of rent and is due when the lease is signed. You get the deposit back within 21 days of moving out, less the cost of repairs. Normal wear, such as small nail holes, is never charged.",
  ),
  document(
    "paying",
    "Paying the rent",
    "payments",
    2026,
    "Rent is due on the first of the month by bank transfer or card. After the fifth of the month a late fee of 40 dollars applies. Tell us before the first if a payment will be late, and the fee is waived once a year.",
  ),
  document(
    "moving-out",
    "Moving out",
    "rules",
    2024,
    "Give notice in writing 30 days before you leave. Leave the home swept and the fridge empty, and return all keys to the office on Lantern Lane. An inspection takes 20 minutes and you may be there for it.",
  ),
  document(
    "repairs",
    "Repairs",
    "service",
    2026,
    "Report a repair in the app or by telephone at any hour. Leaks, gas smells and broken heating are urgent and are seen within four hours. Everything else is repaired within five working days. You pay only for damage you caused.",
  ),
  document(
    "parking",
    "Parking",
    "service",
    2025,
    "Each home has one parking permit. A second car costs 60 dollars a month where there is room. In Old Town and at the Harbor the streets are for residents only, and guests use the garage at the station. Charging for electric cars is in the Riverside garage.",
  ),
  document(
    "laundry",
    "Laundry",
    "service",
    2024,
    "Homes with two rooms or more have a washing machine of their own. Smaller homes share the laundry room in the basement, open from 7 in the morning to 10 at night. A wash costs 2 dollars and a dryer 1 dollar 50.",
  ),
  document(
    "quiet",
    "Quiet hours",
    "rules",
    2024,
    "Quiet hours are from 10 at night to 7 in the morning, and until 9 on Sundays. Musical instruments may be played for two hours a day outside of them. Tell your neighbours before a party.",
  ),
  document(
    "guests",
    "Guests and subletting",
    "rules",
    2025,
    "Guests may stay for up to 14 nights in a row. Subletting needs our consent, which we give for up to six months a year. Short stays through holiday platforms are not allowed.",
  ),
  document(
    "old-town",
    "Old Town",
    "neighborhoods",
    2026,
    "Narrow streets, cafes and the Saturday market. The flats are small and old, often without a lift, and the bells of the cathedral ring at 7. Everything is a walk away, and the tram to the station takes six minutes.",
  ),
  document(
    "harbor",
    "Harbor",
    "neighborhoods",
    2026,
    "New buildings with large windows over the water. It is windy in winter and busy with visitors in summer. The ferry to the island leaves every hour, and there is a supermarket open until midnight. The highest rents in town.",
  ),
  document(
    "riverside",
    "Riverside",
    "neighborhoods",
    2025,
    "A park along the river with playgrounds and a cycle path to the centre. Popular with families: two schools and a library are close. The lowest houses by the water had a flooded cellar in 2021, and flood doors have been fitted since.",
  ),
  document(
    "hillcrest",
    "Hillcrest",
    "neighborhoods",
    2025,
    "Gardens, garages and a view over the bay. The bus up the hill runs every 20 minutes until 11 at night. Quiet, with more dogs than shops; a car is useful.",
  ),
  document(
    "insurance",
    "Insurance",
    "payments",
    2024,
    "The building is insured by us; your belongings are not. We ask for contents and liability insurance of at least 100000 dollars. Bicycles in the cellar are covered only by your own policy.",
  ),
];

/** Appliance instructions, for the knowledge base `appliance_manuals`. */
export const applianceManuals: Document[] = [
  document(
    "washer-start",
    "Washing machine W4: first wash",
    "washing machine",
    2023,
    "Open the tap behind the machine. Run the 60 degree program once without clothes and with half a measure of detergent. The door stays locked for two minutes after a program ends.",
  ),
  document(
    "washer-e18",
    "Washing machine W4: code E18",
    "washing machine",
    2023,
    "E18 means the water does not drain. Switch the machine off, open the flap at the bottom right, let the water run into a bowl and clean the filter. Check that the hose is not bent. Start the program again.",
  ),
  document(
    "dishwasher",
    "Dishwasher D2: white film on glasses",
    "dishwasher",
    2022,
    "A white film comes from hard water. Fill the salt container until it is full and set the hardness to 4. Use the rinse aid every month. Do not put aluminium or wooden boards in the machine.",
  ),
  document(
    "thermostat",
    "Thermostat T1: set a schedule",
    "heating",
    2024,
    "Press the wheel for three seconds until the clock blinks. Turn it to choose the day, press, then choose the temperature for morning, day and night. 19 degrees by day and 16 at night are a good start. Holiday mode keeps 12 degrees.",
  ),
  document(
    "radiator",
    "Radiator: cold at the top",
    "heating",
    2024,
    "Air in the radiator keeps it cold at the top. Close the valve, hold a cloth under the vent, and turn the key a quarter to the left until water comes. Close it again. If the pressure at the boiler is under 1 bar, call the service.",
  ),
  document(
    "boiler",
    "Boiler B7: reset",
    "heating",
    2023,
    "A red light means that the boiler is locked. Press reset once and wait for a minute. If the light stays red, or if you smell gas, close the yellow tap, open the windows and call the emergency number; do not press reset again.",
  ),
  document(
    "stove",
    "Induction stove: pans are not found",
    "kitchen",
    2022,
    "The symbol U means that the stove finds no pan. Induction needs pans to which a magnet sticks. Place the pan in the middle of the ring; a ring for 21 centimetres does not see a pan under 12.",
  ),
  document(
    "router",
    "Internet router: no connection",
    "internet",
    2026,
    "Pull the plug of the router, wait for 30 seconds and plug it in again. The middle light is steady green after two minutes. The network name and the password are on the label below. If the light blinks orange, the line is down: send us a message.",
  ),
];
