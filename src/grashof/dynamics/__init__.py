"""The equations of motion, written once in scalar Python and evaluated with floats, in any precision, or traced to machine code."""
