"""The equations of motion, written once in scalar Python: run with floats, in any precision, or traced to machine code."""
