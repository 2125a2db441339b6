"""What one asks of a mechanism besides how it moves from here: one file a question.

Each question is a function that takes a mechanism and gives an object with named quantities, whose text is a report, which becomes JSON by
`as_dict` and a picture by `plot`.
"""
