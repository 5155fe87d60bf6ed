"""The lab: agents' runs made in real web apps and a real browser, whose truth is read from the apps' database.

From the bottom up: ``words`` (texts in eight languages), ``apps`` (what the six apps hold and offer, as data),
``world`` (the database of one run, with a log of every change, and the faults of that run), ``site`` (the server and
its pages), ``plans`` (what an agent does), ``assignments`` (tasks with goals and the honest way to reach them),
``kinds`` (ways to fail while looking right, and to be right while looking suspicious), ``driving`` (a plan in a real
browser), ``recording`` (what was done and seen, and the logs made of it), ``truth`` (the goal against the database),
``making`` (many runs) and ``scoring`` (verdicts of any judge against the truth).

What the audit knows of a run made here is what stands in its log: nothing below this package imports it.
"""
