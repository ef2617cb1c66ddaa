// Documents of the sample knowledge bases, about the fictional company Lantern Lane Rentals.
import type { Document } from "../knowledgeBases/retrieval.ts";

/**
 * Reads documents of two lines each: the id, the topic and the year, then the content, whose first sentence is the
 * title.
 */
function readDocuments(text: string): Document[] {
  return text
    .trim()
    .split("\n\n")
    .map((lines) => {
      const [head = "", content = ""] = lines.split("\n");
      const [id = "", topic = "", year] = head.split(" | ");
      const [title = ""] = content.split(". ");
      return { id, content, metadata: { title, topic, year: Number(year) } };
    });
}

/** House rules and neighborhood notes, for the knowledge base `rental_guide`. */
export const rentalGuide = readDocuments(`
pets | rules | 2025
Pets. Up to two cats or one dog may live in a home. Large dogs over 30 kilograms need a written agreement. The pet deposit is 250 dollars and is returned if there is no damage. Reptiles and ferrets are not allowed.

deposit | payments | 2025
Deposit. The security deposit is one month of rent and is due when the lease is signed. You get the deposit back within 21 days of moving out, less the cost of repairs. Normal wear, such as small nail holes, is never charged.

paying | payments | 2026
Paying the rent. Rent is due on the first of the month by bank transfer or card. After the fifth of the month a late fee of 40 dollars applies. Tell us before the first if a payment will be late, and the fee is waived once a year.

moving-out | rules | 2024
Moving out. Give notice in writing 30 days before you leave. Leave the home swept and the fridge empty, and return all keys to the office on Lantern Lane. An inspection takes 20 minutes and you may be there for it.

repairs | service | 2026
Repairs. Report a repair in the app or by phone at any hour. Leaks, gas smells, and broken heating are urgent, and we come within four hours. Everything else is repaired within five business days. You pay only for damage you caused.

parking | service | 2025
Parking. Each home has one parking permit. A second car costs 60 dollars a month where there is room. In Old Town and at the Harbor the streets are for residents only, and guests use the garage at the station. Electric cars can be charged in the Riverside garage.

laundry | service | 2024
Laundry. Homes with two rooms or more have a washing machine of their own. Smaller homes share the laundry room in the basement, open from 7 in the morning to 10 at night. A wash costs 2 dollars and a dryer 1 dollar 50.

quiet | rules | 2024
Quiet hours. Quiet hours are from 10 at night to 7 in the morning, and until 9 on Sundays. Musical instruments may be played for two hours a day outside of them. Tell your neighbors before a party.

guests | rules | 2025
Guests and subletting. Guests may stay for up to 14 nights in a row. Subletting needs our consent, which we give for up to six months a year. Short-term stays through vacation rental sites are not allowed.

old-town | neighborhoods | 2026
Old Town. Narrow streets, cafes, and the Saturday market. The apartments are small and old, often without an elevator, and the bells of the cathedral ring at 7. Everything is within walking distance, and the tram to the station takes six minutes.

harbor | neighborhoods | 2026
Harbor. New buildings with large windows over the water. It is windy in winter and busy with visitors in summer. The ferry to the island leaves every hour, and there is a supermarket open until midnight. The highest rents in town.

riverside | neighborhoods | 2025
Riverside. A park along the river with playgrounds and a bike path to downtown. Popular with families: two schools and a library are close. The basements of the lowest houses by the water were flooded in 2021, and flood doors have been installed since.

hillcrest | neighborhoods | 2025
Hillcrest. Yards, garages, and a view of the bay. The bus up the hill runs every 20 minutes until 11 at night. Quiet, with more dogs than stores. A car is useful.

insurance | payments | 2024
Insurance. We insure the building, but not your belongings. You need renters and liability insurance of at least 100,000 dollars. Bicycles in the basement are covered only by your own policy.
`);

/** Appliance instructions, for the knowledge base `appliance_manuals`. */
export const applianceManuals = readDocuments(`
washer-start | washing machine | 2023
Washing machine W4: first wash. Open the faucet behind the machine. Run the 60-degree program once without clothes and with half a measure of detergent. The door stays locked for two minutes after a program ends.

washer-e18 | washing machine | 2023
Washing machine W4: code E18. E18 means the water does not drain. Turn the machine off, open the flap at the bottom right, let the water run into a bowl, and clean the filter. Check that the hose is not bent. Start the program again.

dishwasher | dishwasher | 2022
Dishwasher D2: white film on glasses. A white film comes from hard water. Fill the salt container until it is full and set the hardness to 4. Use the rinse aid every month. Do not put aluminum or wooden boards in the machine.

thermostat | heating | 2024
Thermostat T1: set a schedule. Press the wheel for three seconds until the clock blinks. Turn it to choose the day, press, then choose the temperature for morning, day, and night. 19 degrees by day and 16 at night are a good start. Vacation mode keeps 12 degrees.

radiator | heating | 2024
Radiator: cold at the top. Air in the radiator keeps it cold at the top. Close the valve, hold a cloth under the vent, and turn the key a quarter to the left until water comes. Close it again. If the pressure at the boiler is under 1 bar, call the service.

boiler | heating | 2023
Boiler B7: reset. A red light means that the boiler is locked. Press reset once and wait for a minute. If the light stays red, or if you smell gas, close the yellow valve, open the windows, and call the emergency number. Do not press reset again.

stove | kitchen | 2022
Induction stove: pans are not found. The symbol U means that the stove finds no pan. Induction needs pans that a magnet sticks to. Place the pan in the middle of the ring. A ring for 21 centimeters does not detect a pan under 12.

router | internet | 2026
Internet router: no connection. Unplug the router, wait for 30 seconds, and plug it in again. The middle light is steady green after two minutes. The network name and the password are on the label below. If the light blinks orange, the line is down. Send us a message.
`);
