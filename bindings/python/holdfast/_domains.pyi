"""Types of the domains' methods. Written by tools/make_stubs: a change by hand is lost."""

from datetime import timedelta
from os import PathLike
from threading import Event
from typing import Any, Callable, Literal, Mapping, Sequence, SupportsIndex, TypeAlias, type_check_only

from .answers import Answer, Instance, Simulation
from .catalog import Domain
from .progress import Progress
from .rules import OwnRule

Quantity: TypeAlias = str | float | timedelta | Any
Integer: TypeAlias = SupportsIndex | float | str
Numbers: TypeAlias = str | Sequence[Any] | Any
Path_: TypeAlias = PathLike[str]
Document: TypeAlias = Mapping[str, Any] | PathLike[str] | None

CapacityStrategy: TypeAlias = Literal["first-fit-aware", "first-fit-unaware", "target-stretch", "target-asap", "packed-target-asap", "easy", "drain", "easy-drain", "under-price", "clairvoyant", "as-given"] | str | OwnRule

@type_check_only
class Capacity(Domain):
    def simulate(
        self, instance: Document = ..., /, *, strategies: CapacityStrategy | Sequence[CapacityStrategy] | None = ...,
        baseline: CapacityStrategy | None = ..., scenarios: int = ..., seed: int = ..., threads: int = ..., check: bool = ...,
        schedule: bool = ..., timelines: bool = ..., progress: bool | Callable[[Progress], Any] | None = ..., stop: Event | None = ...,
        profile: Literal["default", "author"] | None = ..., cores: Integer | None = ..., machine_sizes: str | None = ...,
        distance: Integer | None = ..., machines: Integer | None = ..., safe_machines: Integer | None = ..., notice: Quantity | None = ...,
        notice_recall: Quantity | None = ..., notice_precision: Quantity | None = ..., requeue_delay: Quantity | None = ...,
        boot: Quantity | None = ..., shutdown: Quantity | None = ..., checkpoint: Quantity | None = ...,
        objective: Literal["goodput", "money", "grams"] | None = ..., window: Numbers | None = ..., jobs: Path_ | str | None = ...,
        jobs_format: str | None = ..., compress: Quantity | None = ..., longest: Quantity | None = ...,
        reference: Path_ | str | None = ..., alive: Path_ | str | None = ...,
        alive_rule: Literal["count", "share", "inverse"] | None = ..., alive_column: str | None = ..., alive_unit: Quantity | None = ...,
        alive_nodes: Path_ | str | None = ..., alive_from: str | None = ..., price: Path_ | str | None = ...,
        price_column: str | None = ..., price_from: str | None = ..., price_scale: Quantity | None = ..., carbon: Path_ | str | None = ...,
        carbon_column: str | None = ..., carbon_from: str | None = ..., carbon_scale: Quantity | None = ...,
        jobs_read_as: str | None = ..., jobs_columns: str | None = ..., jobs_column_unit: str | None = ..., jobs_where: str | None = ...,
        jobs_dates: str | None = ..., jobs_header: str | None = ..., alive_read_as: str | None = ..., alive_columns: str | None = ...,
        alive_column_unit: str | None = ..., alive_where: str | None = ..., alive_dates: str | None = ..., alive_header: str | None = ...,
        price_read_as: str | None = ..., price_columns: str | None = ..., price_column_unit: str | None = ...,
        price_where: str | None = ..., price_dates: str | None = ..., price_header: str | None = ..., carbon_read_as: str | None = ...,
        carbon_columns: str | None = ..., carbon_column_unit: str | None = ..., carbon_where: str | None = ...,
        carbon_dates: str | None = ..., carbon_header: str | None = ...,
        family: Literal["uniform", "log-scale", "log-scale-u", "three-types"] | None = ..., job_count: Integer | None = ...,
        mean_machines: Integer | None = ..., machine_range: Integer | None = ..., walk_step: Integer | None = ...,
        period: Quantity | None = ..., grow: Quantity | None = ..., shrink: Quantity | None = ..., pack: Integer | None = ...,
        limit: Quantity | None = ..., **document: Any
    ) -> Simulation: ...
    def plan(
        self, instance: Document = ..., /, *, strategy: CapacityStrategy | None = ..., profile: Literal["default", "author"] | None = ...,
        cores: Integer | None = ..., machine_sizes: str | None = ..., distance: Integer | None = ..., machines: Integer | None = ...,
        safe_machines: Integer | None = ..., checkpoint: Quantity | None = ..., grow: Quantity | None = ..., shrink: Quantity | None = ...,
        pack: Integer | None = ..., limit: Quantity | None = ..., **document: Any
    ) -> Answer: ...
    def advise(
        self, instance: Document = ..., /, *, strategy: CapacityStrategy | None = ..., event: str | None = ..., state: str | None = ...,
        dry_run: bool | None = ..., cores: Integer | None = ..., distance: Integer | None = ..., safe_machines: Integer | None = ...,
        requeue_delay: Quantity | None = ..., checkpoint: Quantity | None = ..., grow: Quantity | None = ...,
        shrink: Quantity | None = ..., pack: Integer | None = ..., limit: Quantity | None = ..., **document: Any
    ) -> Answer: ...
    def generate(
        self, *arguments: Document | str, seed: int = ..., kind: str | None = ..., size: Integer | None = ...,
        numbers: Numbers | None = ..., gap: Integer | None = ..., profile: Literal["default", "author"] | None = ...,
        cores: Integer | None = ..., machine_sizes: str | None = ..., distance: Integer | None = ..., machines: Integer | None = ...,
        safe_machines: Integer | None = ..., notice: Quantity | None = ..., notice_recall: Quantity | None = ...,
        notice_precision: Quantity | None = ..., requeue_delay: Quantity | None = ..., boot: Quantity | None = ...,
        shutdown: Quantity | None = ..., checkpoint: Quantity | None = ..., objective: Literal["goodput", "money", "grams"] | None = ...,
        window: Numbers | None = ..., jobs: Path_ | str | None = ..., jobs_format: str | None = ..., compress: Quantity | None = ...,
        longest: Quantity | None = ..., reference: Path_ | str | None = ..., alive: Path_ | str | None = ...,
        alive_rule: Literal["count", "share", "inverse"] | None = ..., alive_column: str | None = ..., alive_unit: Quantity | None = ...,
        alive_nodes: Path_ | str | None = ..., alive_from: str | None = ..., price: Path_ | str | None = ...,
        price_column: str | None = ..., price_from: str | None = ..., price_scale: Quantity | None = ..., carbon: Path_ | str | None = ...,
        carbon_column: str | None = ..., carbon_from: str | None = ..., carbon_scale: Quantity | None = ...,
        jobs_read_as: str | None = ..., jobs_columns: str | None = ..., jobs_column_unit: str | None = ..., jobs_where: str | None = ...,
        jobs_dates: str | None = ..., jobs_header: str | None = ..., alive_read_as: str | None = ..., alive_columns: str | None = ...,
        alive_column_unit: str | None = ..., alive_where: str | None = ..., alive_dates: str | None = ..., alive_header: str | None = ...,
        price_read_as: str | None = ..., price_columns: str | None = ..., price_column_unit: str | None = ...,
        price_where: str | None = ..., price_dates: str | None = ..., price_header: str | None = ..., carbon_read_as: str | None = ...,
        carbon_columns: str | None = ..., carbon_column_unit: str | None = ..., carbon_where: str | None = ...,
        carbon_dates: str | None = ..., carbon_header: str | None = ...,
        family: Literal["uniform", "log-scale", "log-scale-u", "three-types"] | None = ..., job_count: Integer | None = ...,
        mean_machines: Integer | None = ..., machine_range: Integer | None = ..., walk_step: Integer | None = ...,
        period: Quantity | None = ..., **document: Any
    ) -> Instance: ...

CheckpointStrategy: TypeAlias = Literal["next-step", "next-step-grid", "next-failure", "local-young-daly", "young-daly", "daly", "lazy", "bi-periodic", "optimal-exponential", "fixed", "two-level", "none", "as-given", "clairvoyant", "advised", "adaptive-young-daly"] | str | OwnRule

@type_check_only
class Checkpoint(Domain):
    def simulate(
        self, instance: Document = ..., /, *, strategies: CheckpointStrategy | Sequence[CheckpointStrategy] | None = ...,
        baseline: CheckpointStrategy | None = ..., scenarios: int = ..., seed: int = ..., threads: int = ..., check: bool = ...,
        schedule: bool = ..., timelines: bool = ..., progress: bool | Callable[[Progress], Any] | None = ..., stop: Event | None = ...,
        work: Quantity | None = ..., processors: Integer | None = ..., checkpoint: Quantity | None = ..., recovery: Quantity | None = ...,
        downtime: Quantity | None = ..., iteration: Quantity | None = ..., checkpoint_spread: Quantity | None = ...,
        recovery_spread: Quantity | None = ..., time_limit: Quantity | None = ..., local_checkpoint: Quantity | None = ...,
        local_recovery: Quantity | None = ..., local_share: Quantity | None = ..., flush: Quantity | None = ...,
        save_failure: Quantity | None = ..., relative_downtime: Quantity | None = ..., no_final_checkpoint: bool | None = ...,
        no_initial_recovery: bool | None = ...,
        distribution: Literal["exponential", "weibull", "gamma", "lognormal", "empirical", "hyperexponential", "best"] | None = ...,
        mtbf: Quantity | None = ..., platform_mtbf: Quantity | None = ..., failure_rate: str | None = ..., afr: str | None = ...,
        shape: Quantity | None = ..., scale: Quantity | None = ..., log_mean: Quantity | None = ..., log_sd: Quantity | None = ...,
        k: Quantity | None = ..., parts: str | None = ..., file: Path_ | str | None = ..., log: Path_ | str | None = ...,
        system: str | None = ..., merge: Quantity | None = ..., cause: str | None = ..., relapse_within: Quantity | None = ...,
        unit: Literal["node", "system"] | None = ..., since: Literal["failure", "repair"] | None = ..., from_: str | None = ...,
        to: str | None = ..., log_nodes: Path_ | str | None = ..., observed: str | None = ..., read_as: str | None = ...,
        columns: str | None = ..., column_unit: str | None = ..., where: str | None = ..., dates: str | None = ...,
        header: str | None = ..., log_format: str | None = ..., replay: bool | None = ..., local_cause: str | None = ...,
        belief_distribution: Literal["exponential", "weibull", "gamma", "lognormal", "empirical", "hyperexponential"] | None = ...,
        belief_mtbf: Quantity | None = ..., belief_shape: Quantity | None = ..., belief_file: Path_ | str | None = ...,
        rejuvenation: Literal["failed", "all"] | None = ..., platform_age: Quantity | None = ..., nodes: str | None = ...,
        now: str | None = ..., horizon: Quantity | None = ..., planning_time: str | None = ..., spares: Integer | None = ...,
        repair: Quantity | None = ...,
        repair_distribution: Literal["exponential", "constant", "weibull", "gamma", "lognormal", "empirical", "hyperexponential", "recorded"] | None = ...,
        repair_shape: Quantity | None = ..., repair_log_sd: Quantity | None = ..., repairers: Integer | None = ...,
        repair_failure: Quantity | None = ..., failed_repair: Literal["again", "returns"] | None = ..., relapse: Quantity | None = ...,
        replacement: Literal["new", "oldest", "last-repaired", "random", "same"] | None = ..., idle_ageing: Quantity | None = ...,
        spare_delay: Quantity | None = ..., node_price: Quantity | None = ..., minimum_nodes: Integer | None = ...,
        speed: str | None = ..., join: Literal["checkpoint", "failure"] | None = ..., idle: Literal["wait"] | None = ...,
        quantum: Quantity | None = ..., mean: Literal["observed", "law"] | None = ..., window: Quantity | None = ...,
        degraded: Quantity | None = ..., period: Quantity | None = ..., locals: Integer | None = ...,
        by: Literal["search", "first-order", "now"] | None = ..., trust: str | None = ..., **document: Any
    ) -> Simulation: ...
    def plan(
        self, instance: Document = ..., /, *, strategy: CheckpointStrategy | None = ...,
        as_: Literal["none", "shell", "scr", "fti", "veloc", "dmtcp", "gromacs", "slurm", "lightning", "megatron", "torchtitan", "hf", "deepspeed", "orbax"] | None = ...,
        print: Literal["all", "next"] | None = ..., work: Quantity | None = ..., processors: Integer | None = ...,
        checkpoint: Quantity | None = ..., recovery: Quantity | None = ..., downtime: Quantity | None = ...,
        iteration: Quantity | None = ..., checkpoint_spread: Quantity | None = ..., recovery_spread: Quantity | None = ...,
        time_limit: Quantity | None = ..., local_checkpoint: Quantity | None = ..., local_recovery: Quantity | None = ...,
        local_share: Quantity | None = ..., flush: Quantity | None = ..., save_failure: Quantity | None = ...,
        relative_downtime: Quantity | None = ..., no_final_checkpoint: bool | None = ..., no_initial_recovery: bool | None = ...,
        distribution: Literal["exponential", "weibull", "gamma", "lognormal", "empirical", "hyperexponential", "best"] | None = ...,
        mtbf: Quantity | None = ..., platform_mtbf: Quantity | None = ..., failure_rate: str | None = ..., afr: str | None = ...,
        shape: Quantity | None = ..., scale: Quantity | None = ..., log_mean: Quantity | None = ..., log_sd: Quantity | None = ...,
        k: Quantity | None = ..., parts: str | None = ..., file: Path_ | str | None = ..., log: Path_ | str | None = ...,
        system: str | None = ..., merge: Quantity | None = ..., cause: str | None = ..., relapse_within: Quantity | None = ...,
        unit: Literal["node", "system"] | None = ..., since: Literal["failure", "repair"] | None = ..., from_: str | None = ...,
        to: str | None = ..., log_nodes: Path_ | str | None = ..., observed: str | None = ..., read_as: str | None = ...,
        columns: str | None = ..., column_unit: str | None = ..., where: str | None = ..., dates: str | None = ...,
        header: str | None = ..., log_format: str | None = ..., replay: bool | None = ..., local_cause: str | None = ...,
        rejuvenation: Literal["failed", "all"] | None = ..., platform_age: Quantity | None = ..., nodes: str | None = ...,
        now: str | None = ..., planning_time: str | None = ..., spares: Integer | None = ..., repair: Quantity | None = ...,
        repair_distribution: Literal["exponential", "constant", "weibull", "gamma", "lognormal", "empirical", "hyperexponential", "recorded"] | None = ...,
        repair_shape: Quantity | None = ..., repair_log_sd: Quantity | None = ..., repairers: Integer | None = ...,
        repair_failure: Quantity | None = ..., failed_repair: Literal["again", "returns"] | None = ..., relapse: Quantity | None = ...,
        replacement: Literal["new", "oldest", "last-repaired", "random", "same"] | None = ..., idle_ageing: Quantity | None = ...,
        spare_delay: Quantity | None = ..., node_price: Quantity | None = ..., minimum_nodes: Integer | None = ...,
        speed: str | None = ..., join: Literal["checkpoint", "failure"] | None = ..., idle: Literal["wait"] | None = ...,
        quantum: Quantity | None = ..., mean: Literal["observed", "law"] | None = ..., window: Quantity | None = ...,
        degraded: Quantity | None = ..., period: Quantity | None = ..., locals: Integer | None = ...,
        by: Literal["search", "first-order", "now"] | None = ..., trust: str | None = ..., **document: Any
    ) -> Answer: ...
    def expected(
        self, instance: Document = ..., /, *, work: Quantity | None = ..., checkpoint: Quantity | None = ...,
        recovery: Quantity | None = ..., downtime: Quantity | None = ..., flush: Quantity | None = ...,
        save_failure: Quantity | None = ..., processors: Integer | None = ..., mtbf: Quantity | None = ...,
        platform_mtbf: Quantity | None = ..., failure_rate: str | None = ..., afr: str | None = ..., rate: Quantity | None = ...,
        job: bool | None = ..., no_final_checkpoint: bool | None = ..., no_initial_recovery: bool | None = ...,
        period_sweep: bool | None = ..., spares: Integer | None = ..., repair: Quantity | None = ..., **document: Any
    ) -> Answer: ...
    def optimum(
        self, instance: Document = ..., /, *, strategies: str | None = ..., cells: Integer | None = ..., eight_laws: bool | None = ...,
        works: Numbers | None = ..., work: Quantity | None = ..., processors: Integer | None = ..., checkpoint: Quantity | None = ...,
        recovery: Quantity | None = ..., downtime: Quantity | None = ..., flush: Quantity | None = ...,
        save_failure: Quantity | None = ..., relative_downtime: Quantity | None = ..., no_final_checkpoint: bool | None = ...,
        no_initial_recovery: bool | None = ...,
        distribution: Literal["exponential", "weibull", "gamma", "lognormal", "empirical", "hyperexponential", "best"] | None = ...,
        mtbf: Quantity | None = ..., platform_mtbf: Quantity | None = ..., failure_rate: str | None = ..., afr: str | None = ...,
        shape: Quantity | None = ..., scale: Quantity | None = ..., log_mean: Quantity | None = ..., log_sd: Quantity | None = ...,
        k: Quantity | None = ..., parts: str | None = ..., file: Path_ | str | None = ..., log: Path_ | str | None = ...,
        system: str | None = ..., merge: Quantity | None = ..., cause: str | None = ..., relapse_within: Quantity | None = ...,
        unit: Literal["node", "system"] | None = ..., since: Literal["failure", "repair"] | None = ..., from_: str | None = ...,
        to: str | None = ..., log_nodes: Path_ | str | None = ..., observed: str | None = ..., read_as: str | None = ...,
        columns: str | None = ..., column_unit: str | None = ..., where: str | None = ..., dates: str | None = ...,
        header: str | None = ..., log_format: str | None = ..., replay: bool | None = ..., local_cause: str | None = ...,
        rejuvenation: Literal["failed", "all"] | None = ..., platform_age: Quantity | None = ..., nodes: str | None = ...,
        now: str | None = ..., **document: Any
    ) -> Answer: ...
    def hazard(
        self, instance: Document = ..., /, *, at: Numbers | None = ..., processors: Integer | None = ..., flush: Quantity | None = ...,
        save_failure: Quantity | None = ...,
        distribution: Literal["exponential", "weibull", "gamma", "lognormal", "empirical", "hyperexponential", "best"] | None = ...,
        mtbf: Quantity | None = ..., platform_mtbf: Quantity | None = ..., failure_rate: str | None = ..., afr: str | None = ...,
        shape: Quantity | None = ..., scale: Quantity | None = ..., log_mean: Quantity | None = ..., log_sd: Quantity | None = ...,
        k: Quantity | None = ..., parts: str | None = ..., file: Path_ | str | None = ..., log: Path_ | str | None = ...,
        system: str | None = ..., merge: Quantity | None = ..., cause: str | None = ..., relapse_within: Quantity | None = ...,
        unit: Literal["node", "system"] | None = ..., since: Literal["failure", "repair"] | None = ..., from_: str | None = ...,
        to: str | None = ..., log_nodes: Path_ | str | None = ..., observed: str | None = ..., read_as: str | None = ...,
        columns: str | None = ..., column_unit: str | None = ..., where: str | None = ..., dates: str | None = ...,
        header: str | None = ..., log_format: str | None = ..., replay: bool | None = ..., local_cause: str | None = ...,
        nodes: str | None = ..., now: str | None = ..., **document: Any
    ) -> Answer: ...
    def generate(
        self, instance: Document = ..., /, *, seed: int = ..., duration: Quantity | None = ..., work: Quantity | None = ...,
        processors: Integer | None = ..., checkpoint: Quantity | None = ..., recovery: Quantity | None = ...,
        downtime: Quantity | None = ..., iteration: Quantity | None = ..., checkpoint_spread: Quantity | None = ...,
        recovery_spread: Quantity | None = ..., time_limit: Quantity | None = ..., local_checkpoint: Quantity | None = ...,
        local_recovery: Quantity | None = ..., local_share: Quantity | None = ..., flush: Quantity | None = ...,
        save_failure: Quantity | None = ..., relative_downtime: Quantity | None = ..., no_final_checkpoint: bool | None = ...,
        no_initial_recovery: bool | None = ...,
        distribution: Literal["exponential", "weibull", "gamma", "lognormal", "empirical", "hyperexponential", "best"] | None = ...,
        mtbf: Quantity | None = ..., platform_mtbf: Quantity | None = ..., failure_rate: str | None = ..., afr: str | None = ...,
        shape: Quantity | None = ..., scale: Quantity | None = ..., log_mean: Quantity | None = ..., log_sd: Quantity | None = ...,
        k: Quantity | None = ..., parts: str | None = ..., file: Path_ | str | None = ..., log: Path_ | str | None = ...,
        system: str | None = ..., merge: Quantity | None = ..., cause: str | None = ..., relapse_within: Quantity | None = ...,
        unit: Literal["node", "system"] | None = ..., since: Literal["failure", "repair"] | None = ..., from_: str | None = ...,
        to: str | None = ..., log_nodes: Path_ | str | None = ..., observed: str | None = ..., read_as: str | None = ...,
        columns: str | None = ..., column_unit: str | None = ..., where: str | None = ..., dates: str | None = ...,
        header: str | None = ..., log_format: str | None = ..., replay: bool | None = ..., local_cause: str | None = ...,
        belief_distribution: Literal["exponential", "weibull", "gamma", "lognormal", "empirical", "hyperexponential"] | None = ...,
        belief_mtbf: Quantity | None = ..., belief_shape: Quantity | None = ..., belief_file: Path_ | str | None = ...,
        rejuvenation: Literal["failed", "all"] | None = ..., platform_age: Quantity | None = ..., nodes: str | None = ...,
        now: str | None = ..., horizon: Quantity | None = ..., planning_time: str | None = ..., spares: Integer | None = ...,
        repair: Quantity | None = ...,
        repair_distribution: Literal["exponential", "constant", "weibull", "gamma", "lognormal", "empirical", "hyperexponential", "recorded"] | None = ...,
        repair_shape: Quantity | None = ..., repair_log_sd: Quantity | None = ..., repairers: Integer | None = ...,
        repair_failure: Quantity | None = ..., failed_repair: Literal["again", "returns"] | None = ..., relapse: Quantity | None = ...,
        replacement: Literal["new", "oldest", "last-repaired", "random", "same"] | None = ..., idle_ageing: Quantity | None = ...,
        spare_delay: Quantity | None = ..., node_price: Quantity | None = ..., minimum_nodes: Integer | None = ...,
        speed: str | None = ..., join: Literal["checkpoint", "failure"] | None = ..., **document: Any
    ) -> Instance: ...
    def spares(
        self, instance: Document = ..., /, *, seed: int = ..., target: Quantity | None = ..., most: Integer | None = ...,
        test_after_repair: Quantity | None = ..., work: Quantity | None = ..., processors: Integer | None = ...,
        checkpoint: Quantity | None = ..., recovery: Quantity | None = ..., downtime: Quantity | None = ..., flush: Quantity | None = ...,
        save_failure: Quantity | None = ..., relative_downtime: Quantity | None = ...,
        distribution: Literal["exponential", "weibull", "gamma", "lognormal", "empirical", "hyperexponential", "best"] | None = ...,
        mtbf: Quantity | None = ..., platform_mtbf: Quantity | None = ..., failure_rate: str | None = ..., afr: str | None = ...,
        shape: Quantity | None = ..., scale: Quantity | None = ..., log_mean: Quantity | None = ..., log_sd: Quantity | None = ...,
        k: Quantity | None = ..., parts: str | None = ..., file: Path_ | str | None = ..., log: Path_ | str | None = ...,
        system: str | None = ..., merge: Quantity | None = ..., cause: str | None = ..., relapse_within: Quantity | None = ...,
        unit: Literal["node", "system"] | None = ..., since: Literal["failure", "repair"] | None = ..., from_: str | None = ...,
        to: str | None = ..., log_nodes: Path_ | str | None = ..., observed: str | None = ..., read_as: str | None = ...,
        columns: str | None = ..., column_unit: str | None = ..., where: str | None = ..., dates: str | None = ...,
        header: str | None = ..., log_format: str | None = ..., replay: bool | None = ..., local_cause: str | None = ...,
        nodes: str | None = ..., now: str | None = ..., repair: Quantity | None = ...,
        repair_distribution: Literal["exponential", "constant", "weibull", "gamma", "lognormal", "empirical", "hyperexponential", "recorded"] | None = ...,
        repair_shape: Quantity | None = ..., repair_log_sd: Quantity | None = ..., repairers: Integer | None = ...,
        repair_failure: Quantity | None = ..., failed_repair: Literal["again", "returns"] | None = ..., relapse: Quantity | None = ...,
        replacement: Literal["new", "oldest", "last-repaired", "random", "same"] | None = ..., idle_ageing: Quantity | None = ...,
        spare_delay: Quantity | None = ..., node_price: Quantity | None = ..., minimum_nodes: Integer | None = ...,
        speed: str | None = ..., join: Literal["checkpoint", "failure"] | None = ..., **document: Any
    ) -> Answer: ...

CoschedStrategy: TypeAlias = Literal["none", "end-local", "end-greedy", "iterated-greedy-end-local", "iterated-greedy-end-greedy", "shortest-tasks-first-end-local", "shortest-tasks-first-end-greedy", "as-given"] | str | OwnRule

@type_check_only
class Cosched(Domain):
    def simulate(
        self, instance: Document = ..., /, *, strategies: CoschedStrategy | Sequence[CoschedStrategy] | None = ...,
        baseline: CoschedStrategy | None = ..., scenarios: int = ..., seed: int = ..., threads: int = ..., check: bool = ...,
        schedule: bool = ..., timelines: bool = ..., progress: bool | Callable[[Progress], Any] | None = ..., stop: Event | None = ...,
        processors: Integer | None = ..., mtbf: Quantity | None = ..., platform_mtbf: Quantity | None = ...,
        downtime: Quantity | None = ..., checkpoint_unit_cost: Quantity | None = ..., redistribution_unit_cost: Quantity | None = ...,
        fault_free: bool | None = ..., tasks: Integer | None = ..., minimum_data: Quantity | None = ...,
        maximum_data: Quantity | None = ..., sequential_fraction: Quantity | None = ..., skip_stuck: bool | None = ...,
        shortest_tasks_first: Literal["text", "literal"] | None = ..., **document: Any
    ) -> Simulation: ...
    def plan(
        self, instance: Document = ..., /, *, seed: int = ..., task: str | None = ..., from_: Integer | None = ...,
        to: Integer | None = ..., processors: Integer | None = ..., mtbf: Quantity | None = ..., platform_mtbf: Quantity | None = ...,
        downtime: Quantity | None = ..., checkpoint_unit_cost: Quantity | None = ..., redistribution_unit_cost: Quantity | None = ...,
        fault_free: bool | None = ..., tasks: Integer | None = ..., minimum_data: Quantity | None = ...,
        maximum_data: Quantity | None = ..., sequential_fraction: Quantity | None = ..., **document: Any
    ) -> Answer: ...
    def predict(
        self, instance: Document = ..., /, *, seed: int = ..., task: str | None = ..., allocation: Integer | None = ...,
        fraction: Quantity | None = ..., to: Integer | None = ..., processors: Integer | None = ..., mtbf: Quantity | None = ...,
        platform_mtbf: Quantity | None = ..., downtime: Quantity | None = ..., checkpoint_unit_cost: Quantity | None = ...,
        redistribution_unit_cost: Quantity | None = ..., fault_free: bool | None = ..., tasks: Integer | None = ...,
        minimum_data: Quantity | None = ..., maximum_data: Quantity | None = ..., sequential_fraction: Quantity | None = ...,
        **document: Any
    ) -> Answer: ...
    def advise(
        self, instance: Document = ..., /, *, strategy: CoschedStrategy | None = ..., processors: Integer | None = ...,
        mtbf: Quantity | None = ..., platform_mtbf: Quantity | None = ..., downtime: Quantity | None = ...,
        checkpoint_unit_cost: Quantity | None = ..., redistribution_unit_cost: Quantity | None = ..., fault_free: bool | None = ...,
        sequential_fraction: Quantity | None = ..., skip_stuck: bool | None = ...,
        shortest_tasks_first: Literal["text", "literal"] | None = ..., **document: Any
    ) -> Answer: ...
    def optimum(
        self, instance: Document = ..., /, *, seed: int = ..., processors: Integer | None = ..., platform_mtbf: Quantity | None = ...,
        redistribution_unit_cost: Quantity | None = ..., fault_free: bool | None = ..., tasks: Integer | None = ...,
        minimum_data: Quantity | None = ..., maximum_data: Quantity | None = ..., sequential_fraction: Quantity | None = ...,
        **document: Any
    ) -> Answer: ...
    def generate(
        self, *arguments: Document | str, seed: int = ..., family: str | None = ..., size: Integer | None = ...,
        numbers: Numbers | None = ..., processors: Integer | None = ..., mtbf: Quantity | None = ..., platform_mtbf: Quantity | None = ...,
        downtime: Quantity | None = ..., checkpoint_unit_cost: Quantity | None = ..., redistribution_unit_cost: Quantity | None = ...,
        fault_free: bool | None = ..., tasks: Integer | None = ..., minimum_data: Quantity | None = ...,
        maximum_data: Quantity | None = ..., sequential_fraction: Quantity | None = ..., **document: Any
    ) -> Instance: ...

IoStrategy: TypeAlias = Literal["fair-share", "fcfs", "greedy-yield", "greedy-com", "look-ahead-greedy-yield", "periodic-greedy-yield", "set-10", "best-next-event", "as-given"] | str | OwnRule

@type_check_only
class Io(Domain):
    def simulate(
        self, instance: Document = ..., /, *, strategies: IoStrategy | Sequence[IoStrategy] | None = ...,
        baseline: IoStrategy | None = ..., scenarios: int = ..., seed: int = ..., threads: int = ..., check: bool = ...,
        schedule: bool = ..., timelines: bool = ..., progress: bool | Callable[[Progress], Any] | None = ..., stop: Event | None = ...,
        profile: Literal["default", "author"] | None = ..., ties: Literal["posting", "index"] | None = ...,
        lookahead_horizon: Literal["completion", "window"] | None = ..., periodic_timer: Literal["grid", "rolling"] | None = ...,
        set10_learning: Literal["post", "complete"] | None = ..., best_next_event_horizon: Literal["rest", "whole"] | None = ...,
        cut_phases: bool | None = ..., warmup: Quantity | None = ..., lookahead_floor: Quantity | None = ...,
        allow_completion: bool | None = ..., nodes: Quantity | None = ..., applications: Integer | None = ..., small: Integer | None = ...,
        load: Quantity | None = ..., spread: Quantity | None = ..., noise: Quantity | None = ..., length: Quantity | None = ...,
        law: Literal["io_first", "work_first"] | None = ..., ranks: bool | None = ..., classes: Path_ | str | None = ...,
        machine: Quantity | None = ..., cores_per_node: Quantity | None = ..., node_bandwidth: Quantity | None = ...,
        bandwidth: Quantity | None = ..., windows: Integer | None = ..., longest: Literal["window", "gap"] | None = ...,
        shortest_phase: Quantity | None = ..., volume_scale: Quantity | None = ..., apex_output: Literal["end", "never"] | None = ...,
        history: Literal["window", "full"] | None = ..., period: Quantity | None = ..., **document: Any
    ) -> Simulation: ...
    def plan(
        self, instance: Document = ..., /, *, strategy: IoStrategy | None = ..., profile: Literal["default", "author"] | None = ...,
        ties: Literal["posting", "index"] | None = ..., lookahead_horizon: Literal["completion", "window"] | None = ...,
        periodic_timer: Literal["grid", "rolling"] | None = ..., set10_learning: Literal["post", "complete"] | None = ...,
        best_next_event_horizon: Literal["rest", "whole"] | None = ..., cut_phases: bool | None = ..., warmup: Quantity | None = ...,
        lookahead_floor: Quantity | None = ..., node_bandwidth: Quantity | None = ..., bandwidth: Quantity | None = ...,
        period: Quantity | None = ..., **document: Any
    ) -> Answer: ...
    def generate(
        self, *arguments: Document | str, seed: int = ..., family: str | None = ..., size: Integer | None = ...,
        epsilon: Quantity | None = ..., gap: Quantity | None = ..., work: Quantity | None = ..., run: str | None = ...,
        window: str | None = ..., profile: Literal["default", "author"] | None = ..., ties: Literal["posting", "index"] | None = ...,
        lookahead_horizon: Literal["completion", "window"] | None = ..., periodic_timer: Literal["grid", "rolling"] | None = ...,
        set10_learning: Literal["post", "complete"] | None = ..., best_next_event_horizon: Literal["rest", "whole"] | None = ...,
        cut_phases: bool | None = ..., warmup: Quantity | None = ..., lookahead_floor: Quantity | None = ...,
        allow_completion: bool | None = ..., nodes: Quantity | None = ..., applications: Integer | None = ..., small: Integer | None = ...,
        load: Quantity | None = ..., spread: Quantity | None = ..., noise: Quantity | None = ..., length: Quantity | None = ...,
        law: Literal["io_first", "work_first"] | None = ..., ranks: bool | None = ..., classes: Path_ | str | None = ...,
        machine: Quantity | None = ..., cores_per_node: Quantity | None = ..., node_bandwidth: Quantity | None = ...,
        bandwidth: Quantity | None = ..., windows: Integer | None = ..., longest: Literal["window", "gap"] | None = ...,
        shortest_phase: Quantity | None = ..., volume_scale: Quantity | None = ..., apex_output: Literal["end", "never"] | None = ...,
        history: Literal["window", "full"] | None = ..., **document: Any
    ) -> Instance: ...
    def examples(
        self, instance: Document = ..., /, *, m: Integer | None = ..., epsilon: Quantity | None = ..., **document: Any
    ) -> Answer: ...

MachineStrategy: TypeAlias = Literal["most-overdue", "shortest-weighted", "least-waste", "fcfs", "node-share", "fair-share", "greedy-yield", "greedy-com", "look-ahead-greedy-yield", "periodic-greedy-yield", "set-10", "best-next-event", "alone"] | str | OwnRule

@type_check_only
class Machine(Domain):
    def simulate(
        self, instance: Document = ..., /, *, strategies: MachineStrategy | Sequence[MachineStrategy] | None = ...,
        baseline: MachineStrategy | None = ..., scenarios: int = ..., seed: int = ..., threads: int = ..., check: bool = ...,
        schedule: bool = ..., timelines: bool = ..., progress: bool | Callable[[Progress], Any] | None = ..., stop: Event | None = ...,
        nodes: Integer | None = ..., bandwidth: Quantity | None = ..., node_bandwidth: Quantity | None = ...,
        downtime: Quantity | None = ..., on_failure: Literal["respawn", "requeue"] | None = ..., repair: Quantity | None = ...,
        scheduler: Literal["fcfs", "easy", "first-fit"] | None = ..., walltime: Literal["extend", "kill"] | None = ...,
        horizon: Quantity | None = ..., warmup: Quantity | None = ..., platform_age: Quantity | None = ..., jitter: Quantity | None = ...,
        classes: Path_ | str | None = ..., cores_per_node: Quantity | None = ..., mix: str | None = ..., jobs: Path_ | str | None = ...,
        jobs_format: str | None = ..., compress: Quantity | None = ..., checkpoint_per_node: Quantity | None = ...,
        input_per_node: Quantity | None = ..., output_per_node: Quantity | None = ..., cores: Quantity | None = ...,
        jobs_read_as: str | None = ..., jobs_columns: str | None = ..., jobs_column_unit: str | None = ..., jobs_where: str | None = ...,
        jobs_dates: str | None = ..., jobs_header: str | None = ...,
        distribution: Literal["exponential", "weibull", "gamma", "lognormal", "empirical", "hyperexponential", "best"] | None = ...,
        mtbf: Quantity | None = ..., platform_mtbf: Quantity | None = ..., failure_rate: str | None = ..., afr: str | None = ...,
        shape: Quantity | None = ..., scale: Quantity | None = ..., log_mean: Quantity | None = ..., log_sd: Quantity | None = ...,
        k: Quantity | None = ..., parts: str | None = ..., file: Path_ | str | None = ..., log: Path_ | str | None = ...,
        system: str | None = ..., merge: Quantity | None = ..., cause: str | None = ..., relapse_within: Quantity | None = ...,
        unit: Literal["node", "system"] | None = ..., since: Literal["failure", "repair"] | None = ..., from_: str | None = ...,
        to: str | None = ..., log_nodes: Path_ | str | None = ..., observed: str | None = ..., read_as: str | None = ...,
        columns: str | None = ..., column_unit: str | None = ..., where: str | None = ..., dates: str | None = ...,
        header: str | None = ..., log_format: str | None = ..., replay: bool | None = ...,
        period: Literal["young-daly", "daly", "optimal-exponential", "local-young-daly", "next-step", "measured", "cooperative", "cooperative-first-order", "as-given", "fixed"] | None = ...,
        interval: Quantity | None = ..., load: Quantity | None = ..., waiting: Literal["blocking", "working"] | None = ...,
        every: Quantity | None = ..., **document: Any
    ) -> Simulation: ...
    def plan(
        self, instance: Document = ..., /, *, seed: int = ..., target_share: Quantity | None = ..., load: Quantity | None = ...,
        regular_load: Quantity | None = ..., tune_load: bool | None = ..., tune_for: str | None = ...,
        tune_scenarios: Integer | None = ..., nodes: Integer | None = ..., bandwidth: Quantity | None = ...,
        node_bandwidth: Quantity | None = ..., downtime: Quantity | None = ..., horizon: Quantity | None = ...,
        warmup: Quantity | None = ..., classes: Path_ | str | None = ..., cores_per_node: Quantity | None = ..., mix: str | None = ...,
        jobs_read_as: str | None = ..., jobs_columns: str | None = ..., jobs_column_unit: str | None = ..., jobs_where: str | None = ...,
        jobs_dates: str | None = ..., jobs_header: str | None = ...,
        distribution: Literal["exponential", "weibull", "gamma", "lognormal", "empirical", "hyperexponential", "best"] | None = ...,
        mtbf: Quantity | None = ..., platform_mtbf: Quantity | None = ..., failure_rate: str | None = ..., afr: str | None = ...,
        shape: Quantity | None = ..., scale: Quantity | None = ..., log_mean: Quantity | None = ..., log_sd: Quantity | None = ...,
        k: Quantity | None = ..., parts: str | None = ..., file: Path_ | str | None = ..., log: Path_ | str | None = ...,
        system: str | None = ..., merge: Quantity | None = ..., cause: str | None = ..., relapse_within: Quantity | None = ...,
        unit: Literal["node", "system"] | None = ..., since: Literal["failure", "repair"] | None = ..., from_: str | None = ...,
        to: str | None = ..., log_nodes: Path_ | str | None = ..., observed: str | None = ..., read_as: str | None = ...,
        columns: str | None = ..., column_unit: str | None = ..., where: str | None = ..., dates: str | None = ...,
        header: str | None = ..., log_format: str | None = ..., replay: bool | None = ..., **document: Any
    ) -> Answer: ...
    def generate(
        self, instance: Document = ..., /, *, seed: int = ..., count: Integer | None = ..., failures: bool | None = ...,
        nodes: Integer | None = ..., bandwidth: Quantity | None = ..., node_bandwidth: Quantity | None = ...,
        downtime: Quantity | None = ..., on_failure: Literal["respawn", "requeue"] | None = ..., repair: Quantity | None = ...,
        scheduler: Literal["fcfs", "easy", "first-fit"] | None = ..., walltime: Literal["extend", "kill"] | None = ...,
        horizon: Quantity | None = ..., warmup: Quantity | None = ..., platform_age: Quantity | None = ..., jitter: Quantity | None = ...,
        classes: Path_ | str | None = ..., cores_per_node: Quantity | None = ..., mix: str | None = ..., jobs: Path_ | str | None = ...,
        jobs_format: str | None = ..., compress: Quantity | None = ..., checkpoint_per_node: Quantity | None = ...,
        input_per_node: Quantity | None = ..., output_per_node: Quantity | None = ..., cores: Quantity | None = ...,
        jobs_read_as: str | None = ..., jobs_columns: str | None = ..., jobs_column_unit: str | None = ..., jobs_where: str | None = ...,
        jobs_dates: str | None = ..., jobs_header: str | None = ...,
        distribution: Literal["exponential", "weibull", "gamma", "lognormal", "empirical", "hyperexponential", "best"] | None = ...,
        mtbf: Quantity | None = ..., platform_mtbf: Quantity | None = ..., failure_rate: str | None = ..., afr: str | None = ...,
        shape: Quantity | None = ..., scale: Quantity | None = ..., log_mean: Quantity | None = ..., log_sd: Quantity | None = ...,
        k: Quantity | None = ..., parts: str | None = ..., file: Path_ | str | None = ..., log: Path_ | str | None = ...,
        system: str | None = ..., merge: Quantity | None = ..., cause: str | None = ..., relapse_within: Quantity | None = ...,
        unit: Literal["node", "system"] | None = ..., since: Literal["failure", "repair"] | None = ..., from_: str | None = ...,
        to: str | None = ..., log_nodes: Path_ | str | None = ..., observed: str | None = ..., read_as: str | None = ...,
        columns: str | None = ..., column_unit: str | None = ..., where: str | None = ..., dates: str | None = ...,
        header: str | None = ..., log_format: str | None = ..., replay: bool | None = ..., **document: Any
    ) -> Instance: ...

MoldableStrategy: TypeAlias = Literal["lpa", "lpa-ratio", "batch", "batch-fit", "rolling", "min-time", "min-area", "as-given"] | str | OwnRule

@type_check_only
class Moldable(Domain):
    def simulate(
        self, instance: Document = ..., /, *, strategies: MoldableStrategy | Sequence[MoldableStrategy] | None = ...,
        baseline: MoldableStrategy | None = ..., scenarios: int = ..., seed: int = ..., threads: int = ..., check: bool = ...,
        schedule: bool = ..., timelines: bool = ..., progress: bool | Callable[[Progress], Any] | None = ..., stop: Event | None = ...,
        model: Literal["roofline", "communication", "amdahl", "mix-low-com", "mix", "power"] | None = ..., jobs: Integer | None = ...,
        sequential_fraction: Quantity | None = ..., releases: Literal["at-once", "logged"] | None = ..., processors: Integer | None = ...,
        error_model: Literal["work", "area", "fail-stop"] | None = ..., error_rate: Quantity | None = ...,
        checkpoint: Quantity | None = ..., recovery: Quantity | None = ..., log: Path_ | str | None = ..., longest: Quantity | None = ...,
        speedup: Path_ | str | None = ..., log_read_as: str | None = ..., log_columns: str | None = ..., log_column_unit: str | None = ...,
        log_where: str | None = ..., log_dates: str | None = ..., log_header: str | None = ..., alpha: Quantity | None = ...,
        priority: Literal["lpt", "hpa", "la"] | None = ..., slack: Quantity | None = ..., epsilon: Quantity | None = ...,
        theta: Quantity | None = ..., cap: Quantity | None = ..., **document: Any
    ) -> Simulation: ...
    def plan(
        self, instance: Document = ..., /, *, strategy: MoldableStrategy | None = ..., seed: int = ..., attempts: Integer | None = ...,
        model: Literal["roofline", "communication", "amdahl", "mix-low-com", "mix", "power"] | None = ..., jobs: Integer | None = ...,
        sequential_fraction: Quantity | None = ..., releases: Literal["at-once", "logged"] | None = ..., processors: Integer | None = ...,
        error_model: Literal["work", "area", "fail-stop"] | None = ..., error_rate: Quantity | None = ...,
        checkpoint: Quantity | None = ..., recovery: Quantity | None = ..., log: Path_ | str | None = ..., longest: Quantity | None = ...,
        speedup: Path_ | str | None = ..., log_read_as: str | None = ..., log_columns: str | None = ..., log_column_unit: str | None = ...,
        log_where: str | None = ..., log_dates: str | None = ..., log_header: str | None = ..., alpha: Quantity | None = ...,
        priority: Literal["lpt", "hpa", "la"] | None = ..., slack: Quantity | None = ..., epsilon: Quantity | None = ...,
        theta: Quantity | None = ..., cap: Quantity | None = ..., **document: Any
    ) -> Answer: ...
    def optimum(
        self, instance: Document = ..., /, *, seed: int = ..., schedule: bool = ..., steps: Integer | None = ...,
        model: Literal["roofline", "communication", "amdahl", "mix-low-com", "mix", "power"] | None = ..., jobs: Integer | None = ...,
        sequential_fraction: Quantity | None = ..., releases: Literal["at-once", "logged"] | None = ..., processors: Integer | None = ...,
        error_model: Literal["work", "area", "fail-stop"] | None = ..., error_rate: Quantity | None = ...,
        checkpoint: Quantity | None = ..., recovery: Quantity | None = ..., log: Path_ | str | None = ..., longest: Quantity | None = ...,
        speedup: Path_ | str | None = ..., log_read_as: str | None = ..., log_columns: str | None = ..., log_column_unit: str | None = ...,
        log_where: str | None = ..., log_dates: str | None = ..., log_header: str | None = ..., **document: Any
    ) -> Answer: ...
    def generate(
        self, *arguments: Document | str, seed: int = ..., what: str | None = ..., size: Integer | None = ...,
        probability: Quantity | None = ..., fixed: bool | None = ..., index: Integer | None = ...,
        model: Literal["roofline", "communication", "amdahl", "mix-low-com", "mix", "power"] | None = ..., jobs: Integer | None = ...,
        sequential_fraction: Quantity | None = ..., releases: Literal["at-once", "logged"] | None = ..., processors: Integer | None = ...,
        error_model: Literal["work", "area", "fail-stop"] | None = ..., error_rate: Quantity | None = ...,
        checkpoint: Quantity | None = ..., recovery: Quantity | None = ..., log: Path_ | str | None = ..., longest: Quantity | None = ...,
        speedup: Path_ | str | None = ..., log_read_as: str | None = ..., log_columns: str | None = ..., log_column_unit: str | None = ...,
        log_where: str | None = ..., log_dates: str | None = ..., log_header: str | None = ..., **document: Any
    ) -> Instance: ...
    def fit(
        self, *arguments: Document | str, file: Path_ | str | None = ..., series: str | None = ..., table: Integer | None = ...,
        read_as: str | None = ..., columns: str | None = ..., column_unit: str | None = ..., where: str | None = ...,
        header: str | None = ..., **document: Any
    ) -> Answer: ...

TaskgraphStrategy: TypeAlias = Literal["capped-lpa", "wide-lpa", "min-time", "min-area", "fraction", "ect", "optimal", "as-given", "per-group"] | str | OwnRule

@type_check_only
class Taskgraph(Domain):
    def simulate(
        self, instance: Document = ..., /, *, strategies: TaskgraphStrategy | Sequence[TaskgraphStrategy] | None = ...,
        baseline: TaskgraphStrategy | None = ..., scenarios: int = ..., seed: int = ..., threads: int = ..., check: bool = ...,
        schedule: bool = ..., timelines: bool = ..., progress: bool | Callable[[Progress], Any] | None = ..., stop: Event | None = ...,
        processors: Integer | None = ..., error_model: Literal["work", "area", "fail-stop"] | None = ...,
        error_rate: Quantity | None = ..., checkpoint: Quantity | None = ..., recovery: Quantity | None = ..., tasks: Integer | None = ...,
        model: Literal["roofline", "communication", "amdahl", "mix", "any"] | None = ...,
        works: Literal["log-uniform", "kernels"] | None = ..., shape: Literal["layered", "fork-join", "out-tree", "in-tree"] | None = ...,
        fat: Quantity | None = ..., density: Quantity | None = ..., regularity: Quantity | None = ..., jump: Integer | None = ...,
        max_parallelism: Integer | None = ..., sequential_fraction: Quantity | None = ...,
        releases: Literal["at-once", "logged"] | None = ..., overhead: Quantity | None = ..., log: Path_ | str | None = ...,
        longest: Quantity | None = ..., speedup: Path_ | str | None = ..., log_read_as: str | None = ..., log_columns: str | None = ...,
        log_column_unit: str | None = ..., log_where: str | None = ..., log_dates: str | None = ..., log_header: str | None = ...,
        alpha: Quantity | None = ..., mu: Quantity | None = ..., beta: Quantity | None = ..., per_task: bool | None = ...,
        priority: Literal["fifo", "lpt", "hpa", "la", "bottom-level"] | None = ..., phi: Quantity | None = ...,
        gamma: Quantity | None = ..., share: Quantity | None = ..., **document: Any
    ) -> Simulation: ...
    def plan(
        self, *arguments: Document | str, strategy: TaskgraphStrategy | None = ..., seed: int = ..., schedule: bool = ...,
        runs: Sequence[str] | None = ..., graph: Path_ | str | None = ..., cores: Integer | None = ..., delay: Quantity | None = ...,
        as_: Literal["none", "snakemake", "nextflow"] | None = ..., processors: Integer | None = ...,
        error_model: Literal["work", "area", "fail-stop"] | None = ..., error_rate: Quantity | None = ...,
        checkpoint: Quantity | None = ..., recovery: Quantity | None = ..., tasks: Integer | None = ...,
        model: Literal["roofline", "communication", "amdahl", "mix", "any"] | None = ...,
        works: Literal["log-uniform", "kernels"] | None = ..., shape: Literal["layered", "fork-join", "out-tree", "in-tree"] | None = ...,
        fat: Quantity | None = ..., density: Quantity | None = ..., regularity: Quantity | None = ..., jump: Integer | None = ...,
        max_parallelism: Integer | None = ..., sequential_fraction: Quantity | None = ...,
        releases: Literal["at-once", "logged"] | None = ..., overhead: Quantity | None = ..., log: Path_ | str | None = ...,
        longest: Quantity | None = ..., speedup: Path_ | str | None = ..., log_read_as: str | None = ..., log_columns: str | None = ...,
        log_column_unit: str | None = ..., log_where: str | None = ..., log_dates: str | None = ..., log_header: str | None = ...,
        alpha: Quantity | None = ..., mu: Quantity | None = ..., beta: Quantity | None = ..., per_task: bool | None = ...,
        priority: Literal["fifo", "lpt", "hpa", "la", "bottom-level"] | None = ..., phi: Quantity | None = ...,
        gamma: Quantity | None = ..., share: Quantity | None = ..., **document: Any
    ) -> Answer: ...
    def optimum(
        self, instance: Document = ..., /, *, seed: int = ..., schedule: bool = ..., processors: Integer | None = ...,
        error_model: Literal["work", "area", "fail-stop"] | None = ..., error_rate: Quantity | None = ...,
        checkpoint: Quantity | None = ..., recovery: Quantity | None = ..., tasks: Integer | None = ...,
        model: Literal["roofline", "communication", "amdahl", "mix", "any"] | None = ...,
        works: Literal["log-uniform", "kernels"] | None = ..., shape: Literal["layered", "fork-join", "out-tree", "in-tree"] | None = ...,
        fat: Quantity | None = ..., density: Quantity | None = ..., regularity: Quantity | None = ..., jump: Integer | None = ...,
        max_parallelism: Integer | None = ..., sequential_fraction: Quantity | None = ...,
        releases: Literal["at-once", "logged"] | None = ..., overhead: Quantity | None = ..., log: Path_ | str | None = ...,
        longest: Quantity | None = ..., speedup: Path_ | str | None = ..., log_read_as: str | None = ..., log_columns: str | None = ...,
        log_column_unit: str | None = ..., log_where: str | None = ..., log_dates: str | None = ..., log_header: str | None = ...,
        **document: Any
    ) -> Answer: ...
    def graph(
        self, instance: Document = ..., /, *, seed: int = ..., dot: bool | None = ..., processors: Integer | None = ...,
        error_model: Literal["work", "area", "fail-stop"] | None = ..., error_rate: Quantity | None = ...,
        checkpoint: Quantity | None = ..., recovery: Quantity | None = ..., tasks: Integer | None = ...,
        model: Literal["roofline", "communication", "amdahl", "mix", "any"] | None = ...,
        works: Literal["log-uniform", "kernels"] | None = ..., shape: Literal["layered", "fork-join", "out-tree", "in-tree"] | None = ...,
        fat: Quantity | None = ..., density: Quantity | None = ..., regularity: Quantity | None = ..., jump: Integer | None = ...,
        max_parallelism: Integer | None = ..., sequential_fraction: Quantity | None = ...,
        releases: Literal["at-once", "logged"] | None = ..., overhead: Quantity | None = ..., log: Path_ | str | None = ...,
        longest: Quantity | None = ..., speedup: Path_ | str | None = ..., log_read_as: str | None = ..., log_columns: str | None = ...,
        log_column_unit: str | None = ..., log_where: str | None = ..., log_dates: str | None = ..., log_header: str | None = ...,
        **document: Any
    ) -> Answer: ...
    def generate(
        self, *arguments: Document | str, seed: int = ..., family: str | None = ..., size: Integer | None = ...,
        epsilon: Quantity | None = ..., closed_form: bool | None = ..., processors: Integer | None = ...,
        error_model: Literal["work", "area", "fail-stop"] | None = ..., error_rate: Quantity | None = ...,
        checkpoint: Quantity | None = ..., recovery: Quantity | None = ..., tasks: Integer | None = ...,
        model: Literal["roofline", "communication", "amdahl", "mix", "any"] | None = ...,
        works: Literal["log-uniform", "kernels"] | None = ..., shape: Literal["layered", "fork-join", "out-tree", "in-tree"] | None = ...,
        fat: Quantity | None = ..., density: Quantity | None = ..., regularity: Quantity | None = ..., jump: Integer | None = ...,
        max_parallelism: Integer | None = ..., sequential_fraction: Quantity | None = ...,
        releases: Literal["at-once", "logged"] | None = ..., overhead: Quantity | None = ..., log: Path_ | str | None = ...,
        longest: Quantity | None = ..., speedup: Path_ | str | None = ..., log_read_as: str | None = ..., log_columns: str | None = ...,
        log_column_unit: str | None = ..., log_where: str | None = ..., log_dates: str | None = ..., log_header: str | None = ...,
        **document: Any
    ) -> Instance: ...

VolatileStrategy: TypeAlias = Literal["ip", "ie", "iy", "iay", "it", "p-ip", "p-ie", "p-iy", "p-iay", "p-it", "e-ip", "e-ie", "e-iy", "e-iay", "e-it", "y-ip", "y-ie", "y-iy", "y-iay", "y-it", "ay-ip", "ay-ie", "ay-iy", "ay-iay", "ay-it", "t-ip", "t-ie", "t-iy", "t-iay", "t-it", "random", "fastest", "most-available", "longest-up", "threshold", "as-given"] | str | OwnRule

@type_check_only
class Volatile(Domain):
    def simulate(
        self, instance: Document = ..., /, *, strategies: VolatileStrategy | Sequence[VolatileStrategy] | None = ...,
        baseline: VolatileStrategy | None = ..., scenarios: int = ..., seed: int = ..., threads: int = ..., check: bool = ...,
        schedule: bool = ..., timelines: bool = ..., progress: bool | Callable[[Progress], Any] | None = ..., stop: Event | None = ...,
        tasks: Integer | None = ..., iterations: Integer | None = ..., concurrent_communications: Integer | None = ...,
        slot_limit: Integer | None = ..., program_slots: Integer | None = ..., data_slots: Integer | None = ...,
        slot: Quantity | None = ..., master_bandwidth: Quantity | None = ..., link_bandwidth: Quantity | None = ...,
        program_size: Quantity | None = ..., data_size: Quantity | None = ..., workers: Integer | None = ...,
        minimum_speed: Integer | None = ..., minimum_stay: Quantity | None = ..., maximum_stay: Quantity | None = ...,
        initial: Literal["up", "reclaimed", "down", "stationary"] | None = ..., sample: Integer | None = ...,
        availability: Path_ | str | None = ..., unavailable: Literal["down", "reclaimed"] | None = ..., history: Integer | None = ...,
        holding_times: Literal["exponential", "weibull", "gamma", "lognormal", "empirical", "hyperexponential"] | None = ...,
        holding_shape: Quantity | None = ..., holding_log_sd: Quantity | None = ...,
        estimator: Literal["exact", "paper", "restart"] | None = ..., keep_data: bool | None = ..., value_reclaimed: bool | None = ...,
        share: Quantity | None = ..., **document: Any
    ) -> Simulation: ...
    def plan(
        self, instance: Document = ..., /, *, strategy: VolatileStrategy | None = ..., seed: int = ..., tasks: Integer | None = ...,
        iterations: Integer | None = ..., concurrent_communications: Integer | None = ..., slot_limit: Integer | None = ...,
        program_slots: Integer | None = ..., data_slots: Integer | None = ..., slot: Quantity | None = ...,
        master_bandwidth: Quantity | None = ..., link_bandwidth: Quantity | None = ..., program_size: Quantity | None = ...,
        data_size: Quantity | None = ...,
        holding_times: Literal["exponential", "weibull", "gamma", "lognormal", "empirical", "hyperexponential"] | None = ...,
        holding_shape: Quantity | None = ..., holding_log_sd: Quantity | None = ...,
        estimator: Literal["exact", "paper", "restart"] | None = ..., keep_data: bool | None = ..., value_reclaimed: bool | None = ...,
        share: Quantity | None = ..., **document: Any
    ) -> Answer: ...
    def admit(
        self, *arguments: Document | str, file: Path_ | str | None = ..., node: str | None = ..., running: str | None = ...,
        restart: Quantity | None = ..., join: Quantity | None = ..., interval: Quantity | None = ...,
        since_checkpoint: Quantity | None = ..., added: Quantity | None = ..., unavailable: Literal["down", "reclaimed"] | None = ...,
        read_as: str | None = ..., **document: Any
    ) -> Answer: ...
    def predict(
        self, instance: Document = ..., /, *, workload: Integer | None = ..., survival: Numbers | None = ..., **document: Any
    ) -> Answer: ...
    def offline(
        self, instance: Document = ..., /, *, most_nodes: Integer | None = ..., tasks: Integer | None = ...,
        iterations: Integer | None = ..., concurrent_communications: Integer | None = ..., slot_limit: Integer | None = ...,
        program_slots: Integer | None = ..., data_slots: Integer | None = ..., slot: Quantity | None = ...,
        master_bandwidth: Quantity | None = ..., link_bandwidth: Quantity | None = ..., program_size: Quantity | None = ...,
        data_size: Quantity | None = ...,
        holding_times: Literal["exponential", "weibull", "gamma", "lognormal", "empirical", "hyperexponential"] | None = ...,
        holding_shape: Quantity | None = ..., holding_log_sd: Quantity | None = ..., **document: Any
    ) -> Answer: ...
    def fit(
        self, *arguments: Document | str, file: Path_ | str | None = ..., slot: Quantity | None = ...,
        unavailable: Literal["down", "reclaimed"] | None = ..., read_as: str | None = ..., most_workers: Integer | None = ...,
        **document: Any
    ) -> Answer: ...
    def generate(
        self, *arguments: Document | str, seed: int = ..., family: str | None = ..., draw_states: Integer | None = ...,
        size: Integer | None = ..., edges: str | None = ..., bi_clique_workers: Integer | None = ...,
        bi_clique_slots: Integer | None = ..., unbounded: bool | None = ..., tasks: Integer | None = ..., iterations: Integer | None = ...,
        concurrent_communications: Integer | None = ..., slot_limit: Integer | None = ..., program_slots: Integer | None = ...,
        data_slots: Integer | None = ..., slot: Quantity | None = ..., master_bandwidth: Quantity | None = ...,
        link_bandwidth: Quantity | None = ..., program_size: Quantity | None = ..., data_size: Quantity | None = ...,
        workers: Integer | None = ..., minimum_speed: Integer | None = ..., minimum_stay: Quantity | None = ...,
        maximum_stay: Quantity | None = ..., initial: Literal["up", "reclaimed", "down", "stationary"] | None = ...,
        sample: Integer | None = ..., availability: Path_ | str | None = ..., unavailable: Literal["down", "reclaimed"] | None = ...,
        history: Integer | None = ...,
        holding_times: Literal["exponential", "weibull", "gamma", "lognormal", "empirical", "hyperexponential"] | None = ...,
        holding_shape: Quantity | None = ..., holding_log_sd: Quantity | None = ..., **document: Any
    ) -> Instance: ...

WorkflowStrategy: TypeAlias = Literal["min-exp", "lambert", "check-more", "basic-check-more", "safe-check", "critical", "next-step", "tuned", "none", "fixed", "as-given"] | str | OwnRule

@type_check_only
class Workflow(Domain):
    def simulate(
        self, instance: Document = ..., /, *, strategies: WorkflowStrategy | Sequence[WorkflowStrategy] | None = ...,
        baseline: WorkflowStrategy | None = ..., scenarios: int = ..., seed: int = ..., threads: int = ..., check: bool = ...,
        schedule: bool = ..., timelines: bool = ..., progress: bool | Callable[[Progress], Any] | None = ..., stop: Event | None = ...,
        workflow: Path_ | str | None = ..., use_cores: bool | None = ..., default_runtime: Quantity | None = ...,
        processors: Integer | None = ..., mtbf: Quantity | None = ..., platform_mtbf: Quantity | None = ...,
        distribution: Literal["exponential", "weibull", "gamma", "lognormal"] | None = ..., shape: Quantity | None = ...,
        log_sd: Quantity | None = ..., platform_age: Quantity | None = ..., downtime: Quantity | None = ...,
        profile: Literal["default", "author"] | None = ..., base: Literal["bare", "one-checkpoint"] | None = ...,
        luck: Literal["paired", "independent"] | None = ..., priority: Literal["lpt", "fifo", "bottom-level", "spt"] | None = ...,
        strict: bool | None = ..., checkpoint: Quantity | None = ..., recovery: Quantity | None = ...,
        family: Literal["blast", "bwa", "cycles", "epigenomics", "genome", "montage", "seismology", "soykb", "srasearch"] | None = ...,
        tasks: Integer | None = ..., scale: Literal["large", "small", "author", "none"] | None = ...,
        runtime_factor: Quantity | None = ..., delta: Quantity | None = ..., trials: Integer | None = ..., period: Quantity | None = ...,
        **document: Any
    ) -> Simulation: ...
    def plan(
        self, *arguments: Document | str, strategy: WorkflowStrategy | None = ..., seed: int = ..., runs: Sequence[str] | None = ...,
        csv: bool | None = ..., index: Integer | None = ..., against: str | None = ..., graph: Path_ | str | None = ...,
        cores: Integer | None = ..., delay: Quantity | None = ..., as_: Literal["none", "snakemake", "nextflow"] | None = ...,
        workflow: Path_ | str | None = ..., use_cores: bool | None = ..., default_runtime: Quantity | None = ...,
        processors: Integer | None = ..., mtbf: Quantity | None = ..., platform_mtbf: Quantity | None = ...,
        distribution: Literal["exponential", "weibull", "gamma", "lognormal"] | None = ..., shape: Quantity | None = ...,
        log_sd: Quantity | None = ..., platform_age: Quantity | None = ..., downtime: Quantity | None = ...,
        profile: Literal["default", "author"] | None = ..., base: Literal["bare", "one-checkpoint"] | None = ...,
        luck: Literal["paired", "independent"] | None = ..., priority: Literal["lpt", "fifo", "bottom-level", "spt"] | None = ...,
        strict: bool | None = ..., checkpoint: Quantity | None = ..., recovery: Quantity | None = ...,
        family: Literal["blast", "bwa", "cycles", "epigenomics", "genome", "montage", "seismology", "soykb", "srasearch"] | None = ...,
        tasks: Integer | None = ..., scale: Literal["large", "small", "author", "none"] | None = ...,
        runtime_factor: Quantity | None = ..., delta: Quantity | None = ..., trials: Integer | None = ..., period: Quantity | None = ...,
        **document: Any
    ) -> Answer: ...
    def generate(
        self, *arguments: Document | str, seed: int = ..., what: str | None = ..., format: Literal["instance", "wfformat"] | None = ...,
        index: Integer | None = ..., size: Integer | None = ..., workflow: Path_ | str | None = ..., use_cores: bool | None = ...,
        default_runtime: Quantity | None = ..., processors: Integer | None = ..., mtbf: Quantity | None = ...,
        platform_mtbf: Quantity | None = ..., distribution: Literal["exponential", "weibull", "gamma", "lognormal"] | None = ...,
        shape: Quantity | None = ..., log_sd: Quantity | None = ..., platform_age: Quantity | None = ..., downtime: Quantity | None = ...,
        profile: Literal["default", "author"] | None = ..., base: Literal["bare", "one-checkpoint"] | None = ...,
        luck: Literal["paired", "independent"] | None = ..., priority: Literal["lpt", "fifo", "bottom-level", "spt"] | None = ...,
        strict: bool | None = ..., checkpoint: Quantity | None = ..., recovery: Quantity | None = ...,
        family: Literal["blast", "bwa", "cycles", "epigenomics", "genome", "montage", "seismology", "soykb", "srasearch"] | None = ...,
        tasks: Integer | None = ..., scale: Literal["large", "small", "author", "none"] | None = ...,
        runtime_factor: Quantity | None = ..., **document: Any
    ) -> Instance: ...
