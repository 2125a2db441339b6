// A tree by Pinocchio's articulated-body algorithm, as a library for tree_run.c; needs the headers of Pinocchio and Eigen.
//
// The file named by TREE lists the joints, parents first, after their number. Of each: its kind (0: revolute about z, 1: free),
// its parent (-1: the ground), the nine entries of its rotation by rows and its position in the axes of its parent, and the
// mass, centre of mass and six entries (xx, xy, yy, xz, yz, zz) of the inertia about it of what it carries. The numbers
// after them are gravity, and the state y = [q, v] at the start.

#define BOOST_MPL_LIMIT_LIST_SIZE 30
#define BOOST_MPL_CFG_NO_PREPROCESSED_HEADERS

#include <cstdlib>
#include <fstream>
#include <vector>

#include <pinocchio/multibody.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/energy.hpp>

namespace pin = pinocchio;
using Vector = Eigen::VectorXd;
using Map = Eigen::Map<const Vector>;

struct Tree {
    pin::Model model;
    std::vector<int> free;
    Vector start, none;

    Tree() {
        std::ifstream file(std::getenv("TREE"));
        auto next = [&] { double x; file >> x; return x; };
        int count = int(next());
        for (int i = 0; i < count; i++) {
            bool is_free = next() != 0.0;
            int parent = int(next());
            Eigen::Matrix3d turn;
            Eigen::Vector3d shift, center;
            pin::Symmetric3 inertia;
            for (int k = 0; k < 9; k++) turn(k / 3, k % 3) = next();
            for (int k = 0; k < 3; k++) shift[k] = next();
            double mass = next();
            for (int k = 0; k < 3; k++) center[k] = next();
            for (int k = 0; k < 6; k++) inertia.data()[k] = next();
            pin::SE3 place(turn, shift);
            std::string name = "j" + std::to_string(i);
            pin::JointIndex joint = is_free ? model.addJoint(parent + 1, pin::JointModelFreeFlyer(), place, name)
                                            : model.addJoint(parent + 1, pin::JointModelRZ(), place, name);
            model.appendBodyToJoint(joint, pin::Inertia(mass, center, inertia));
            if (is_free) free.push_back(int(joint));
        }
        for (int k = 0; k < 3; k++) model.gravity.linear()[k] = next();
        start.resize(model.nq + model.nv);
        for (int k = 0; k < start.size(); k++) start[k] = next();
        none = Vector::Zero(model.nv);
    }
};

static Tree tree;
static pin::Data data(tree.model);

extern "C" void tree_start(double *y) { Vector::Map(y, tree.start.size()) = tree.start; }

extern "C" void tree_slope(const double *y, double *f) {
    const int nq = tree.model.nq, nv = tree.model.nv;
    Map q(y, nq), v(y + nq, nv);
    Vector::Map(f + nq, nv) = pin::aba(tree.model, data, q, v, tree.none, pin::Convention::LOCAL);
    if (tree.free.empty()) {
        Vector::Map(f, nq) = v;
        return;
    }
    for (pin::JointIndex j = 1; j < (pin::JointIndex)tree.model.njoints; j++) {
        int iq = tree.model.joints[j].idx_q(), iv = tree.model.joints[j].idx_v();
        if (tree.model.joints[j].nq() == 1) {
            f[iq] = v[iv];
            continue;
        }
        Eigen::Quaterniond turn(q[iq + 6], q[iq + 3], q[iq + 4], q[iq + 5]), spin(0.0, v[iv + 3], v[iv + 4], v[iv + 5]);
        Eigen::Map<Eigen::Vector3d> rate(f + iq);
        rate = turn * Eigen::Vector3d(v.segment<3>(iv));
        Eigen::Vector4d bent = 0.5 * (turn * spin).coeffs();
        Eigen::Map<Eigen::Vector4d>(f + iq + 3) = bent;
    }
}

extern "C" void tree_normalise(double *y) {
    for (int j : tree.free) Eigen::Map<Eigen::Vector4d>(y + tree.model.joints[j].idx_q() + 3).normalize();
}

extern "C" double tree_energy(const double *y) {
    return pin::computeMechanicalEnergy(tree.model, data, Map(y, tree.model.nq), Map(y + tree.model.nq, tree.model.nv));
}

extern "C" void tree_repeat(int count, double *y, double *f) {
    for (int i = 0; i < count; i++) {
        y[0] += 1e-9 * f[0];
        tree_slope(y, f);
    }
}
