"""A shop: products to order, orders to look up and cancel."""

from tracewitness.lab.apps.spec import App, Collection, Deed, Field, FieldKind, Submit, View

SHOP = App(
    name="shop",
    collections=(
        Collection(
            name="product",
            title="product",
            fields=(
                Field("product", FieldKind.TEXT, in_form=False),
                Field("price", FieldKind.MONEY, in_form=False),
                Field("department", FieldKind.CHOICE, choices=("kitchen", "office", "garden", "sport"), in_form=False),
                Field("stock", FieldKind.NUMBER, in_form=False),
            ),
            states=("offered",),
            views=(View("products", ("offered",), filters=("department",), order="product"),),
            shared=True,
            creatable=False,
        ),
        Collection(
            name="order",
            title="number",
            fields=(
                Field("number", FieldKind.TEXT, in_form=False),
                Field("product", FieldKind.TEXT, in_form=False),
                Field("quantity", FieldKind.NUMBER, required=True),
                Field("total", FieldKind.MONEY, in_form=False),
                Field("ordered", FieldKind.STAMP, in_form=False),
                Field("deliver_to", FieldKind.TEXT, required=True, in_list=False),
            ),
            states=("processing", "shipped", "delivered", "cancelled", "waiting_for_payment"),
            views=(
                View("open_orders", ("processing", "shipped", "waiting_for_payment"), order="-ordered"),
                View(
                    "all_orders",
                    ("processing", "shipped", "delivered", "cancelled", "waiting_for_payment"),
                    order="-ordered",
                ),
            ),
            submits=(Submit("order", "processing"), Submit("pay_later", "waiting_for_payment")),
            deeds=(Deed("cancel_order", ("processing", "waiting_for_payment"), "cancelled", confirmed=True),),
            creatable=False,
            made_from="product",
        ),
    ),
)
"""An order is placed from the page of a product: its form is that of ``order``, with the product filled in."""
