/** What served pages do beside showing text: plots, tables that can be sorted and filtered, and frames that wait for a mechanism. */
import "../style.css";
import "./app.css";
import { boards } from "./board";
import { cards } from "./cards";
import { frames } from "./frames";
import { plots } from "./plotted";

frames();
plots();
boards();
cards();
