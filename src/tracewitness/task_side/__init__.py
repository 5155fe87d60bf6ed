"""The task: what was asked, its class, its parts and what each part asks for."""
