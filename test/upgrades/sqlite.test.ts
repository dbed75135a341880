import { describeUpgrades } from "./upgrades.ts";

describeUpgrades("sqlite");
